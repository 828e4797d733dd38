import { expect, test } from '@jest/globals';
import { exampleSlug, summary, terminalOf } from './terminal.js';

const quickstart = {
  baseUrl: 'http://localhost:8080',
  apiKey: `tau_live_${'a'.repeat(32)}`,
  workspaceId: 'ws_01k9vz3c8q6y0v7d5m2n4p6r8t',
  person: {
    email: 'demo-1a2b@tautan.local',
    password: 'k7mq-x2wd-9rtb-h4zp',
    signInUrl: 'http://localhost:24405/demo/0123456789abcdef',
  },
  identity: { url: 'http://localhost:24405', clientId: 'tautan', deviceClientId: 'tautan-cli' },
  payments: { url: 'http://localhost:24406', secretKey: 'sk_test_x' },
  mongodb: { engine: 'embedded' as const, uri: '' },
  nats: { engine: 'embedded' as const, url: '' },
  services: [],
};
const show = (isTerminal: boolean, colors = false) =>
  summary(quickstart, { dataDir: '/var/lib/tautan', ms: 2_345, slug: 'hello-1a2b', terminal: { isTerminal, colors } });

test('prints the URLs, the API key, the sign-in link and three curl commands', () => {
  const text = show(false);
  expect(text).toMatch(/Application +http:\/\/localhost:8080\/app\n/);
  expect(text).toMatch(/Sign in +http:\/\/localhost:24405\/demo\/0123456789abcdef /);
  expect(text).toContain('http://localhost:8080/docs');
  expect(text).toContain(quickstart.apiKey);
  expect(text).toMatch(
    /Accounts +http:\/\/localhost:24405\n +Demo user +demo-1a2b@tautan\.local {2}k7mq-x2wd-9rtb-h4zp\n/,
  );
  expect(text).toMatch(/Payments +http:\/\/localhost:24406 /);
  expect(text).not.toContain('sk_test_x');
  expect(text.split('\n').filter((line) => line.startsWith('curl '))).toHaveLength(3);
});

test('fits 80 columns on a terminal without changing the commands', () => {
  const wrapped = show(true);
  expect(wrapped.split('\n').filter((line) => line.length > 80)).toEqual([]);
  const whole = wrapped.replaceAll(/ \\\n */g, ' ').split('\n');
  const curls = (lines: string[]) => lines.map((line) => line.trim()).filter((line) => line.startsWith('curl '));
  expect(curls(whole)).toEqual(curls(show(false).split('\n')));
});

test('does not break values at 50 columns', () => {
  const terminal = terminalOf({ isTTY: true, columns: 50 }, { NO_COLOR: '1' });
  const text = summary(quickstart, { dataDir: '/var/lib/tautan', ms: 2_345, slug: 'hello-1a2b', terminal });
  const [rows] = text.split('  # Create a link');
  expect(rows!.split('\n').filter((line) => line.length > 50)).toEqual([]);
  expect(rows).toContain(`\n  API key\n    ${quickstart.apiKey}\n`);
  expect(rows).toContain('\n  Payments     http://localhost:24406\n               sandbox, no real payments\n');
});

test('has no colors without a terminal, with NO_COLOR, or with TERM=dumb', () => {
  expect(terminalOf({ isTTY: true }, { TERM: 'xterm' }).colors).toBe(true);
  expect(terminalOf({}, {}).colors).toBe(false);
  expect(terminalOf({ isTTY: true }, { NO_COLOR: '1' }).colors).toBe(false);
  expect(terminalOf({ isTTY: true }, { TERM: 'dumb' }).colors).toBe(false);
  expect(show(true)).not.toContain('\u001b');
  expect(show(true, true)).toContain('\u001b');
});

test('uses a random slug in the example', () => {
  const slugs = Array.from({ length: 20 }, exampleSlug);
  for (const slug of slugs) expect(slug).toMatch(/^hello-[0-9a-f]{4}$/);
  expect(new Set(slugs).size).toBeGreaterThan(1);
});
