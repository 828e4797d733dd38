import { expect, test } from '@jest/globals';
import { maintenanceCommand } from './maintenance.js';

test.each<[string[], number | undefined, RegExp | undefined]>([
  [[], undefined, undefined],
  [['serve', 'x'], undefined, undefined],
  [['migrate', 'x'], 2, /^Usage: migrate$/],
  [['migrate'], 1, /^The configuration is invalid:\n[^]*NATS_URL: must be set/],
])('for the command line %j, maintenanceCommand returns %p', async (command, code, output) => {
  const lines: string[] = [];
  const options = { name: 'test', createModels: () => ({}) };
  expect(await maintenanceCommand(command, options, (line) => void lines.push(line))).toBe(code);
  expect(lines).toEqual(output ? [expect.stringMatching(output)] : []);
});
