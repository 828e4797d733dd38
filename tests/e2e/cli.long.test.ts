import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tautanAt, type Run, type Running, type Tautan } from '@tautan/cli/testing';
import { eventually } from '@tautan/kit/testing';
import { limitNames } from '@tautan/proto';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { aLink, apiClient, type ApiLink } from '../support/client.js';
import { pay } from '../support/payments.js';
import { aKey, aPerson, aWorkspace, grant } from '../support/people.js';
import { startStack, type Quickstart, type Stack } from '../support/stack.js';

// The CLI against the whole product: users sign in with the device flow, scripts with an API key.
let stack: Stack;
let quickstart: Quickstart;
let browser: Browser;
let tautan: Tautan;

beforeAll(async () => {
  // The demo workspace is on BUSINESS, whose limits these tests do not reach. A new workspace is on FREE.
  stack = await startStack({ env: { PLAN_FREE: JSON.stringify({ limits: { links: 5 } }) } });
  quickstart = await stack.quickstart();
  tautan = tautanAt(stack.baseUrl);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  tautan?.remove();
  await stack?.stop();
});

/** Opens the URL that the terminal shows and approves the sign-in, as a user would. */
async function approve(login: Running): Promise<void> {
  const address = await eventually(() => {
    const [found] = /https?:\/\/\S+user_code=\S+/.exec(login.stderr()) ?? [];
    if (!found) throw new Error(`no URL yet: ${login.stderr()}`);
    return found;
  });
  const page = await browser.newPage();
  await page.goto(address);
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByLabel('Email').fill(quickstart.person.email);
  await page.getByLabel('Password').fill(quickstart.person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
  await page.close();
}

interface Tokens {
  accessToken: string;
  refreshToken: string;
  refreshAt: string;
}
const credentialsFile = () => join(tautan.configDir, 'credentials.json');
const storedProfiles = () =>
  (JSON.parse(readFileSync(credentialsFile(), 'utf8')) as { profiles: Record<string, { tokens: Tokens }> }).profiles;
const tokens = () => storedProfiles()[stack.baseUrl]!.tokens;
/** Marks the stored access token as due for a refresh. */
const expireAccessToken = () => {
  const profiles = storedProfiles();
  profiles[stack.baseUrl]!.tokens.refreshAt = new Date(0).toISOString();
  writeFileSync(credentialsFile(), JSON.stringify({ version: 1, current: stack.baseUrl, profiles }));
};
const refresh = (refreshToken: string) =>
  grant(stack, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: quickstart.identity.deviceClientId,
  });

describe('a user', () => {
  test('approves the sign-in in a browser, then lists links', async () => {
    const link = await aLink(apiClient(stack), { slug: 'from-the-terminal', tags: ['cli'] });
    const login = tautan.start(['login', '--no-browser']);
    await approve(login);
    const { code, stdout } = await login.ended;
    expect(stdout).toContain('Signed in as');
    expect(stdout).toContain(quickstart.person.email);
    expect(code).toBe(0);
    const listed = await tautan.run(['links', 'list', '--json']);
    expect(listed.json<ApiLink[]>()).toContainEqual(link);
    expect((await tautan.run(['links', 'list'])).stdout).toContain('/from-the-terminal');
  });

  test('rotates the refresh token once for any number of concurrent commands', async () => {
    const before = tokens();
    expireAccessToken();
    const runs = await Promise.all(Array.from({ length: 5 }, () => tautan.run(['whoami'])));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(5).fill({ code: 0, stderr: '' }));
    expect(tokens().refreshToken).not.toBe(before.refreshToken);
    expireAccessToken();
    expect((await tautan.run(['whoami'])).code).toBe(0);
  });

  test('creates a key, which a script uses until it is revoked', async () => {
    const { stdout } = await tautan.run(['keys', 'create', 'nightly']);
    const env = { TAUTAN_API_KEY: stdout.trim() };
    expect((await tautan.run(['whoami'], { env })).stdout).toContain('with the API key nightly');
    expect((await tautan.run(['keys', 'list'])).stdout).toContain('nightly');
    expect((await tautan.run(['keys', 'create', 'another'], { env })).code).toBe(1);
    expect((await tautan.run(['keys', 'revoke', 'nightly', '--yes'])).code).toBe(0);
    expect((await tautan.run(['links', 'list'], { env })).code).toBe(3);
  });

  test('works in the selected workspace', async () => {
    const listed = (await tautan.run(['workspaces', 'list', '--json'])).json<{ id: string; current: boolean }[]>();
    expect(listed.filter((one) => one.current)).toHaveLength(1);
    const { accessToken } = tokens();
    const { data } = await apiClient({ ...stack, apiKey: accessToken }).post<{ id: string }>('/workspaces', {
      name: 'Side project',
    });
    expect((await tautan.run(['workspaces', 'switch', 'side project'])).stdout).toContain('Switched to Side project');
    expect((await tautan.run(['links', 'list'])).stdout).toContain('No links yet.');
    expect((await tautan.run(['whoami', '--json'])).json()).toMatchObject({ workspace: { id: data.id } });
    const { workspaceId } = quickstart;
    expect((await tautan.run(['links', 'list', '--workspace', workspaceId])).stdout).toContain('/from-the-terminal');
  });

  test('revokes the refresh token on sign-out', async () => {
    const { refreshToken } = tokens();
    const { code, stderr } = await tautan.run(['logout']);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await tautan.run(['links', 'list'])).code).toBe(3);
  });

  test('is signed out if a refresh token is replayed, which revokes the whole token family', async () => {
    const login = tautan.start(['login', '--no-browser']);
    await approve(login);
    expect((await login.ended).code).toBe(0);
    const { refreshToken: stolen } = tokens();
    expireAccessToken();
    expect((await tautan.run(['whoami'])).code).toBe(0);
    expect(await refresh(stolen)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expireAccessToken();
    const { code, stderr } = await tautan.run(['whoami']);
    expect(stderr).toContain('tautan login');
    expect(code).toBe(3);
  });
});

describe('a script with an API key', () => {
  const run = (args: string[], input = '') => tautan.run(args, { env: { TAUTAN_API_KEY: stack.apiKey }, input });

  test('imports links as CSV from standard input, validates rows in a dry run, and exports and lists the links', async () => {
    const rows = Array.from({ length: 1_200 }, (_, at) => `https://example.com/${at},moved-${at},"a,b"`);
    const imported = await run(['links', 'import', '-', '--json'], `url,slug,tags\n${rows.join('\n')}\n`);
    expect(imported.stderr).toBe('');
    expect(imported.json()).toMatchObject({ total: 1_200, created: 1_200, failed: 0 });
    const again = await run(['links', 'import', '-', '--dry-run'], 'url,slug\nhttps://example.com,moved-7\n');
    expect(again.stderr).toContain('line 2  slug');
    expect(again.code).toBe(1);
    const exported = (await run(['links', 'export', '--json'])).json<ApiLink[]>();
    expect(exported.filter(({ slug }) => slug.startsWith('moved-'))).toHaveLength(1_200);
    expect(exported.find(({ slug }) => slug === 'moved-7')).toMatchObject({ tags: ['a', 'b'] });
    expect((await run(['links', 'list', '--all', '--q', 'moved', '--json'])).json<ApiLink[]>()).toHaveLength(1_200);
  });
});

describe('a workspace on the FREE plan', () => {
  let run: (args: string, input?: string) => Promise<Run>;
  beforeAll(async () => {
    const owner = await aPerson(stack);
    const { key } = await aKey(owner, (await aWorkspace(owner)).id);
    run = (args, input = '') => tautan.run(args.split(' '), { env: { TAUTAN_API_KEY: key }, input });
  });

  test('shows its usage, and a hint when a limit is reached', async () => {
    const rows = Array.from({ length: 7 }, (_, at) => `https://example.com/${at}`);
    const imported = await run('links import -', `url\n${rows.join('\n')}\n`);
    expect(imported.stderr).toContain('2 of 7 rows rejected, 2 because of a plan limit.');
    const refused = await run('links create https://example.com');
    expect(refused.stderr).toContain('✗ The FREE plan limits links per month to 5 (in use: 5).');
    expect(refused.stderr).toContain("Run 'tautan billing usage'");
    expect(refused.code).toBe(1);
    const { stdout } = await run('billing usage');
    expect(stdout).toMatch(/^✗ {2}Links per month +5 +5 +█{10} +100%$/m);
    expect(stdout).toContain('Monthly limits reset on 1 ');
    // Every limit of the catalog has a label.
    for (const name of limitNames) expect(stdout).not.toMatch(new RegExp(`^.  ${name} `, 'm'));
    expect(stdout.match(/^[✗! ] {2}[A-Z]\w+ .*\d/gm)).toHaveLength(limitNames.length);
  });

  test('pays for a plan at the printed URL, then cancels it', async () => {
    expect((await run('billing plans')).stdout).toMatch(/^ +FREE +PRO +BUSINESS$/m);
    const checkout = await run('billing checkout pro');
    expect(checkout.code).toBe(0);
    await pay(checkout.stdout.trim());
    await eventually(async () => expect((await run('billing plan')).stdout).toMatch(/^PRO plan$/m));
    expect((await run('billing plan')).stdout).toMatch(/^Subscription +active, renews on /m);
    expect((await run('links create https://example.com')).code).toBe(0);
    expect((await run('billing history')).stdout).toMatch(/PRO.* +Rp 149,000 +paid/);
    expect((await run('billing checkout pro')).stderr).toContain('SUBSCRIPTION_STATE');
    expect((await run('billing cancel --yes')).stdout).toContain('PRO subscription: active, ends on ');
    expect((await run('billing plan')).stdout).toMatch(/^Subscription +active, ends on /m);
  });
});
