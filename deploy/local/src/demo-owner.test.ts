import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { freePort } from '@tautan/kit/testing';
import { startIdentity, type RunningIdentity } from '@tautan/local-identity';
import { readDemo, writeDemo } from './demo-file.js';
import { DemoOwner } from './demo-owner.js';

const redirectUri = 'http://localhost:8080/api/v1/auth/callback';
let dataDir: string;
let provider: RunningIdentity;
let owner: DemoOwner;

async function start(): Promise<void> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const clients = {
    dashboard: { id: 'tautan', redirectUris: [redirectUri], postLogoutUris: [] },
    device: { id: 'tautan-cli' },
  };
  const addresses = { port, host: '127.0.0.1', issuer: url, audience: 'http://localhost:8080/api/v1' };
  const log = createLog('identity', 'silent');
  provider = await startIdentity({ ...addresses, dataDir: join(dataDir, 'identity'), clients, log });
  owner = await DemoOwner.ensure(dataDir, { url, clientId: 'tautan', deviceClientId: 'tautan-cli' }, provider);
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tautan-demo-owner-'));
  await start();
  // Add the workspace and the API key, which a complete start of the stack stores as well.
  writeDemo(dataDir, { ...readDemo(dataDir), workspaceId: 'ws_1', apiKey: 'tau_live_x' });
});

afterEach(async () => {
  await provider.stop();
  rmSync(dataDir, { recursive: true });
});

/** Stops the provider, calls `change`, and starts the provider with the same data. */
async function restart(change: () => void): Promise<void> {
  await provider.stop();
  change();
  await start();
}

test('the demo owner stays the same at the next start', async () => {
  const { person } = owner;
  const access = await owner.access();
  await restart(() => undefined);
  expect(owner.person).toEqual(person);
  expect(await owner.access()).toMatchObject({ externalId: access.externalId });
});

test('the demo owner is created again with the same credentials if the account was lost', async () => {
  const { person } = owner;
  await restart(() => rmSync(join(dataDir, 'identity', 'identity.log')));
  expect(owner.person).toEqual(person);
  expect(owner.createSignInLink()).toContain('/demo/');
  await owner.access();
  expect(owner.person).toEqual(person);
});

test('the demo owner is replaced when a sign-in fails because the password was changed', async () => {
  const { person } = owner;
  await restart(() => writeDemo(dataDir, { ...readDemo(dataDir), person: { ...person, password: 'an earlier one' } }));
  expect(owner.person.email).toBe(person.email);
  const access = await owner.access();
  expect(owner.person.email).not.toBe(person.email);
  expect(readDemo(dataDir)).toEqual({ workspaceId: 'ws_1', apiKey: 'tau_live_x', person: owner.person });
  expect(await owner.access()).toBe(access);
  expect(owner.createSignInLink()).toContain('/demo/');
});
