import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { launchBrowser } from '../support/browser.js';
import { apiClient, type ApiLink } from '../support/client.js';
import { accepted, demoPerson, type ApiWorkspace } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';

// These tests check what `npm start` prints, writes and serves.
let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

const bash = (command: string) => promisify(execFile)('bash', ['-c', command], { timeout: 20_000 });

test('prints its address, an API key and three curl commands that work as printed', async () => {
  await eventually(() => expect(stack.output()).toContain(stack.apiKey));
  expect(stack.output()).toContain(stack.baseUrl);
  const commands = stack
    .output()
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '));
  expect(commands).toHaveLength(3);
  expect(JSON.parse((await bash(commands[0]!)).stdout)).toMatchObject({ error: null });
  expect((await bash(commands[1]!)).stdout).toMatch(/302/);
  await eventually(async () => expect((await bash(commands[2]!)).stdout).toMatch(/"clickCount":1\b/));
});

test('a created link opens in a real browser and its click is counted within 5 s', async () => {
  const api = apiClient(stack);
  const { data: link } = await api.post('/links', { url: `${stack.baseUrl.replace('localhost', '127.0.0.1')}/docs` });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    });
    await page.goto(link.shortUrl);
    expect(page.url()).toMatch(/\/docs/);
  } finally {
    await browser.close();
  }
  await eventually(async () => expect((await api.get<ApiLink>(`/links/${link.id}`)).data.clickCount).toBe(1), 5_000);
});

test('quickstart.json is readable by its owner only, and contains the printed address and key and working admin URLs', async () => {
  const quickstart = await stack.quickstart();
  expect(quickstart).toMatchObject({
    baseUrl: stack.baseUrl,
    apiKey: stack.apiKey,
    workspaceId: expect.stringMatching(/^ws_/),
  });
  expect(quickstart.services.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['gateway', 'redirect', 'links', 'workspaces']),
  );
  expect(statSync(join(stack.dataDir, 'quickstart.json')).mode & 0o077).toBe(0);
  for (const { admin } of quickstart.services) {
    for (const path of ['healthz', 'readyz', 'metrics']) expect((await fetch(`${admin}/${path}`)).status).toBe(200);
  }
});

test('the demo user owns the demo workspace, which is on the BUSINESS plan', async () => {
  const person = await demoPerson(stack);
  const { workspaceId: id } = await stack.quickstart();
  const workspace = accepted(await person.api.get<ApiWorkspace>('/workspaces/current'));
  expect(workspace).toMatchObject({ id, role: 'owner', plan: 'BUSINESS' });
});

test('exits with 0 on Ctrl-C', async () => {
  expect(await stack.stop()).toBe(0);
});
