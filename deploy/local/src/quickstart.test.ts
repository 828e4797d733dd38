import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pidOf, readQuickstart, removeQuickstart, writeQuickstart, type Quickstart } from './quickstart.js';

const quickstart: Quickstart = {
  baseUrl: 'http://localhost:1',
  apiKey: 'tau_live_x',
  workspaceId: 'ws_1',
  identity: { url: 'http://localhost:6', clientId: 'tautan', deviceClientId: 'tautan-cli' },
  mongodb: { engine: 'embedded', uri: 'mongodb://127.0.0.1:2', pid: 12 },
  nats: { engine: 'external', url: 'nats://127.0.0.1:3' },
  services: [{ name: 'gateway', pid: 14, http: 'http://127.0.0.1:4', admin: 'http://127.0.0.1:5' }],
};

test('readQuickstart returns what was written, and only the owner can read the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tautan-quickstart-'));
  expect(readQuickstart(folder)).toBeUndefined();
  writeQuickstart(folder, quickstart);
  expect(readQuickstart(folder)).toEqual(quickstart);
  expect(statSync(join(folder, 'quickstart.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['quickstart.json']);
  removeQuickstart(folder);
  expect(readQuickstart(folder)).toBeUndefined();
});

test('pidOf returns the process id of a service or embedded server, and throws for an external server', () => {
  expect(pidOf(quickstart, 'gateway')).toBe(14);
  expect(pidOf(quickstart, 'mongodb')).toBe(12);
  expect(() => pidOf(quickstart, 'nats')).toThrow('nats is not a process of this stack.');
});
