import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { Page, Route } from 'playwright-core';
import { apiClient } from '../support/client.js';
import { accepted, aKey, aPerson, joins, type Person } from '../support/people.js';
import { startReceiver, verifySigned } from '../support/receiver.js';
import {
  expectAccessible,
  expectFits,
  fits,
  forEachAppearance,
  LOCALES,
  PHONE,
  screenshot,
  type AppTab,
} from '../support/web-app.js';
import { webSuite } from '../support/web-suite.js';

// The pages of the web application that manage a workspace, in a real browser.
const app = webSuite();

async function ownerAt(path: string): Promise<AppTab & { owner: Person; workspaceId: string }> {
  const { person: owner, workspaceId } = await app.anOwner();
  return { owner, workspaceId, ...(await app.signedIn({ person: owner, path })) };
}

const clickButton = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const clickInDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const dialogFieldValue = (page: Page, label: RegExp) => page.getByRole('dialog').getByLabel(label).inputValue();

test('an invited colleague signs in as a viewer and cannot change anything', async () => {
  const { page, workspaceId, context } = await ownerAt('/app/members');
  const colleague = await aPerson(app.stack);
  await clickButton(page, 'Invite member');
  await page.getByLabel('Email').fill(colleague.email);
  await page.getByLabel('Role').selectOption('viewer');
  await clickInDialog(page, 'Invite');
  const link = await dialogFieldValue(page, /is invited/);
  await clickInDialog(page, 'Done');
  await page.getByRole('cell', { name: colleague.email, exact: true }).waitFor();
  await context.close();

  const tab = await app.signedIn({ person: colleague, path: link });
  await tab.page.getByRole('button', { name: 'Warung Kopi' }).waitFor();
  await tab.page.getByText('No links yet').waitFor();
  expect(await tab.page.getByRole('button', { name: 'New link' }).count()).toBe(0);
  expect(await tab.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  const refused = await colleague.in(workspaceId).post('/links', { url: 'https://example.com' });
  expect([refused.status, refused.error?.code]).toEqual([403, 'FORBIDDEN']);
  expect(tab.problems).toEqual([]);
  await tab.context.close();
}, 90_000);

test('viewers see a workspace without controls to change it, and have no access to its API keys and audit log', async () => {
  const { person: owner, workspaceId } = await app.anOwner();
  const api = owner.in(workspaceId);
  accepted(await api.post('/qr-codes', { url: 'https://example.com', title: 'Poster' }));
  const domain = `${randomUUID()}.example`;
  accepted(await api.post('/domains', { domain }));
  accepted(await api.post('/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['link.updated'] }));
  const viewer = await aPerson(app.stack);
  await joins(viewer, 'viewer', { id: workspaceId, by: owner });
  const { page, problems } = await app.signedIn({ person: viewer, path: '/app/links' });
  const forbidden = 'You have no access to this';
  const pages: Record<string, { text: string; buttons: string[] }> = {
    'qr-codes': { text: 'Poster', buttons: [] },
    domains: { text: domain, buttons: [] },
    webhooks: { text: 'http://127.0.0.1:9/hook', buttons: [] },
    members: { text: viewer.email, buttons: [] },
    'api-keys': { text: forbidden, buttons: [] },
    'audit-log': { text: forbidden, buttons: [] },
    billing: { text: 'Only owners and admins can manage billing.', buttons: [] },
    settings: { text: 'Leave workspace', buttons: ['Leave workspace'] },
  };
  const found: typeof pages = {};
  for (const [path, { text }] of Object.entries(pages)) {
    await page.goto(`/app/${path}`);
    await page.getByRole('main').getByText(text, { exact: true }).first().waitFor();
    const buttons = await page.locator('main :is(button:not([aria-label^="Copy "]), a[href$="/new"])').allInnerTexts();
    found[path] = { text, buttons };
  }
  expect(found).toEqual(pages);
  expect(problems).toEqual([]);
}, 90_000);

test('the dialog that demotes an admin says that their API keys will be revoked, and saving it revokes them', async () => {
  const { page, owner, workspaceId, problems } = await ownerAt('/app/links');
  const admin = await aPerson(app.stack);
  await joins(admin, 'admin', { id: workspaceId, by: owner });
  const { key } = await aKey(admin, workspaceId);
  const client = apiClient({ ...app.stack, apiKey: key });
  expect((await client.get('/tags')).status).toBe(200);
  await page.goto('/app/members');
  await clickButton(page, /^Actions for/);
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  const hint = page.getByText('Any API keys that this member created will be revoked.');
  expect(await hint.count()).toBe(0);
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await hint.waitFor();
  await screenshot(page, 'demotion');
  await clickInDialog(page, 'Save');
  await eventually(async () => expect((await client.get('/tags')).status).toBe(401), 10_000);
  expect(problems).toEqual([]);
}, 90_000);

test('a webhook endpoint receives a signed test event, which can be sent again', async () => {
  const receiver = await startReceiver();
  const { page, problems, context } = await ownerAt('/app/webhooks');
  await clickButton(page, 'New endpoint');
  await page.getByRole('textbox', { name: 'URL' }).fill('not an address');
  await clickInDialog(page, 'Create endpoint');
  await expectFieldError(page, 'URL');
  await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
  await clickInDialog(page, 'Create endpoint');
  await page.getByRole('dialog', { name: 'Signing secret' }).waitFor();
  const secret = await dialogFieldValue(page, /Signing secret/);
  await clickInDialog(page, 'Done');

  await clickButton(page, 'Send test event');
  await eventually(() => Promise.resolve(expect(receiver.of('webhook.test')).toHaveLength(1)), 10_000);
  expect(() => verifySigned(receiver.received[0]!, secret)).not.toThrow();
  await page.getByRole('row', { name: /webhook\.test Succeeded/ }).waitFor();
  await clickButton(page, 'Details of webhook.test');
  await page.getByText('Attempt 1:').waitFor();
  await clickInDialog(page, 'Send again');
  await eventually(() => Promise.resolve(expect(receiver.of('webhook.test')).toHaveLength(2)), 10_000);
  await page.getByText('Attempt 2:').waitFor();
  expect(problems).toEqual([]);
  await context.close();
  await receiver.stop();
}, 90_000);

const expectFieldError = async (page: Page, label: string): Promise<void> => {
  await page.locator('[aria-invalid="true"]:focus').waitFor();
  expect(await page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true');
};

test('an upgraded plan is shown when the browser returns from the checkout page, and can be canceled', async () => {
  const { page, context } = await ownerAt('/app/billing');
  await page.getByRole('heading', { name: 'FREE plan' }).waitFor();
  await clickButton(page, 'Upgrade to PRO');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(`${app.stack.baseUrl}/app/billing*`);
  await page.getByRole('heading', { name: 'PRO plan' }).waitFor();
  await page.getByRole('cell', { name: 'Paid' }).first().waitFor();
  await clickButton(page, 'Cancel subscription');
  await clickInDialog(page, 'Cancel subscription');
  await page.getByText(/The subscription ends on/).waitFor();
  await clickButton(page, 'Keep the plan');
  await page.getByText(/^Renews on/).waitFor();
  await context.close();
}, 90_000);

test('saving a webhook endpoint changes only the fields that the user changed', async () => {
  const { page, owner, workspaceId } = await ownerAt('/app/settings');
  const api = owner.in(workspaceId);
  const endpoint = { url: 'https://hooks.example.com/old', events: ['tag.deleted', 'link.created'] };
  const { id } = accepted(await api.post<{ id: string }>('/webhooks', endpoint));
  await page.goto('/app/webhooks');
  const edit = async (): Promise<void> => {
    await clickButton(page, /^Actions for/);
    await page.getByRole('menuitem', { name: 'Edit endpoint' }).click();
  };
  await edit();
  await page.getByRole('checkbox', { name: 'link.deleted' }).check();
  const url = 'https://hooks.example.com/moved';
  accepted(await api.patch(`/webhooks/${id}`, { url }));
  await clickInDialog(page, 'Save');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const [{ events, ...saved }] = accepted(await api.get<[typeof endpoint]>('/webhooks'));
  expect([saved.url, events.toSorted()]).toEqual([url, ['link.created', 'link.deleted', 'tag.deleted']]);
  await edit();
  await page.getByRole('textbox', { name: 'URL' }).fill(endpoint.url);
  accepted(await api.patch(`/webhooks/${id}`, { events: ['*'] }));
  await clickInDialog(page, 'Save');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(accepted(await api.get('/webhooks'))).toMatchObject([{ url: endpoint.url, events: ['*'] }]);
}, 90_000);

test('saving the pages of a domain changes only the fields that the user changed', async () => {
  const { page, owner, workspaceId } = await ownerAt('/app/settings');
  const api = owner.in(workspaceId);
  const domain = { domain: `${randomUUID()}.example` };
  const { id } = accepted(await api.post<{ id: string }>('/domains', domain));
  await page.goto('/app/domains');
  await clickButton(page, 'Pages');
  await page.getByLabel('Brand name').fill('Warung');
  const rootUrl = 'https://example.com/root';
  accepted(await api.patch(`/domains/${id}`, { rootUrl }));
  await clickInDialog(page, 'Save');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(accepted(await api.get('/domains'))).toMatchObject([{ brandName: 'Warung', rootUrl }]);
}, 90_000);

test('each DNS record of a domain is shown as correct, incorrect or missing', async () => {
  const { page, owner, workspaceId } = await ownerAt('/app/settings');
  const domain = `${randomUUID()}.example`;
  accepted(await owner.in(workspaceId).post('/domains', { domain }));
  await page.route('**/api/v1/domains', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as {
      data: { dnsRecords: { value: string; found: string[]; ok: boolean }[] }[];
    };
    const [correct, incorrect] = json.data[0]!.dnsRecords;
    Object.assign(correct!, { found: [correct!.value], ok: true });
    incorrect!.found = ['203.0.113.9'];
    await route.fulfill({ response, json });
  });
  await page.goto('/app/domains');
  const records = page.getByRole('list', { name: `DNS records of ${domain}` }).getByRole('listitem');
  await records.nth(2).waitFor();
  expect((await records.allInnerTexts()).map((text) => text.trim().split('\n').at(-1))).toEqual([
    'Correct',
    'Incorrect',
    'Missing',
  ]);
}, 90_000);

test('notices are visible and can be used while a dialog is open', async () => {
  const { page, problems } = await ownerAt('/app/api-keys');
  await page.setViewportSize(PHONE);
  await clickButton(page, 'New API key');
  await page.getByLabel('Label').fill('nightly import');
  await clickInDialog(page, 'Create key');
  await dialogFieldValue(page, /nightly import/);
  // The page behind the dialog is inert, so only a status in the dialog is announced. An observer waits for this
  // status, because it exists for only a second.
  const announced = page.evaluate(`new Promise((resolve) => {
    const check = () => document.querySelector('dialog [role="status"]')?.textContent.includes('Copied.') && resolve();
    new MutationObserver(check).observe(document, { childList: true, subtree: true, characterData: true });
  })`);
  await clickInDialog(page, 'Copy the key');
  const notice = page.getByRole('listitem').filter({ hasText: 'Copied.' });
  // The notice stays as long as the pointer is over it.
  await notice.hover();
  await announced;
  await screenshot(page, 'notice-in-dialog');
  await expectAccessible(page);
  await notice.getByRole('button', { name: 'Close' }).click();
  await notice.waitFor({ state: 'detached' });
  await clickInDialog(page, 'Copy the key');
  await notice.hover();
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await notice.getByRole('button', { name: 'Close' }).click();
  await notice.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

test('on phones, notices are shown in the navigation while it is open', async () => {
  const { page } = await ownerAt('/app/tags');
  await page.setViewportSize(PHONE);
  const error = { code: 'SERVICE_UNAVAILABLE', message: 'Try again in a moment.' };
  await page.route('**/auth/logout', (route) => route.fulfill({ status: 503, json: { data: null, error, meta: {} } }));
  await clickButton(page, 'Open navigation');
  const drawer = page.getByRole('dialog', { name: 'Navigation' });
  await drawer
    .getByRole('button', { name: /Warung|@/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const notice = drawer.getByRole('listitem').filter({ hasText: 'unavailable' });
  await notice.hover();
  await screenshot(page, 'notice-in-navigation');
  await notice.getByRole('button', { name: 'Close' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await clickButton(page, 'Open navigation');
  await drawer.getByRole('link', { name: 'Links', exact: true }).click();
  await page.waitForURL(/\/app\/links$/);
  await drawer.waitFor({ state: 'hidden' });
});

test('a plan can be chosen again after the browser restores the page from its back/forward cache', async () => {
  const { page } = await ownerAt('/app/billing');
  // The page stays open, because a response without content does not replace it.
  await page.route('**/checkout-page', (route) => route.fulfill({ status: 204 }));
  const data = { checkoutUrl: `${app.stack.baseUrl}/checkout-page` };
  await page.route('**/billing/checkout', (route) => route.fulfill({ json: { data, error: null, meta: {} } }));
  const upgrade = (disabled: boolean) => page.getByRole('button', { name: 'Upgrade to PRO', disabled });
  const redirected = page.waitForRequest('**/checkout-page');
  await upgrade(false).click();
  await redirected;
  await upgrade(true).waitFor();
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await upgrade(false).waitFor();
});

test('a user without a workspace creates one, and tries again if switching to it fails', async () => {
  const { person } = await app.anOwner();
  const { page, problems } = await app.signedIn({ person, path: '/app/tags' });
  const respond = (route: Route, status: number, data: unknown): Promise<void> =>
    route.fulfill({
      status,
      json: { data, error: status < 300 ? null : { code: 'INTERNAL_ERROR', message: '' }, meta: {} },
    });
  let created = false;
  let switches = 0;
  await page.route('**/auth/session', async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: object };
    return respond(route, 200, switches > 1 ? data : { ...data, workspace: null });
  });
  await page.route('**/api/v1/workspaces', (route) => {
    if (route.request().method() === 'POST') created = true;
    return created ? route.continue() : respond(route, 200, []);
  });
  await page.route('**/workspaces/switch', (route) => {
    switches += 1;
    return switches > 1 ? route.continue() : respond(route, 500, null);
  });
  await page.evaluate('sessionStorage.clear()');
  await page.goto('/app/tags');
  await clickButton(page, 'Create workspace');
  await page.getByRole('dialog').getByLabel('Name').fill('Warung Baru');
  await clickInDialog(page, 'Create workspace');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.waitForTimeout(500);
  expect(switches).toBe(1);
  await clickButton(page, 'Try again');
  await page.getByText('Create your first link').waitFor();
  expect(switches).toBe(2);
  expect(problems).toEqual([]);
});

test('an API key works from its creation until its revocation', async () => {
  const { page, owner, workspaceId, context } = await ownerAt('/app/api-keys');
  await clickButton(page, 'New API key');
  await clickInDialog(page, 'Create key');
  await expectFieldError(page, 'Label');
  await page.getByLabel('Label').fill('nightly import');
  await clickInDialog(page, 'Create key');
  const api = apiClient({ ...app.stack, apiKey: await dialogFieldValue(page, /nightly import/) });
  await clickInDialog(page, 'Done');
  expect((await api.get('/tags')).status).toBe(200);
  // Labels need not be unique, so the prefix of the key is shown on phones, too.
  await page.setViewportSize(PHONE);
  const [{ prefix }] = accepted(await owner.in(workspaceId).get<[{ prefix: string }]>('/auth/api-keys'));
  await page.getByRole('cell', { name: prefix }).waitFor();
  await clickButton(page, 'Revoke nightly import');
  await page.getByRole('dialog').getByText(prefix).waitFor();
  await clickInDialog(page, 'Revoke key');
  await page.getByText('No API keys yet').waitFor();
  await eventually(async () => expect((await api.get('/tags')).status).toBe(401), 5_000);
  await context.close();
}, 90_000);

test('a user ends all of their other sessions', async () => {
  const { page, problems, owner, context } = await ownerAt('/app/settings');
  const other = await app.signedIn({ person: owner });
  const statusOfOther = async () => (await other.context.request.get('/api/v1/auth/session')).status();
  expect(await statusOfOther()).toBe(200);
  await page.setViewportSize(PHONE);
  await page.reload();
  const session = page.getByRole('row', { name: /IP address: .*Last seen: / });
  await session.nth(1).waitFor();
  await clickButton(page, 'End all others');
  await page.getByText('All other sessions ended.').first().waitFor();
  await eventually(async () => expect(await statusOfOther()).toBe(401), 5_000);
  expect((await context.request.get('/api/v1/auth/session')).status()).toBe(200);
  expect(problems).toEqual([]);
}, 90_000);

test('the filters of the audit log fit their card on a narrow phone', async () => {
  const { page, context } = await ownerAt('/app/audit-log');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByLabel('From', { exact: true }).waitFor();
  const overflow = `[...document.querySelectorAll('form input')].map((input) =>
    input.getBoundingClientRect().right - input.form.getBoundingClientRect().right)`;
  expect(Math.max(...(await page.evaluate<number[]>(overflow)))).toBeLessThanOrEqual(0);
  await screenshot(page, 'audit-log-360');
  await context.close();
});

test('the pages that manage a workspace are accessible on phones and desktops, in light and dark mode', async () => {
  const { page, problems, owner, workspaceId, context } = await ownerAt('/app/domains');
  const api = owner.in(workspaceId);
  await api.post('/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['link.created'] });
  await clickButton(page, 'Add domain');
  await page.getByLabel('Domain', { exact: true }).fill('go.warung.example');
  await clickInDialog(page, 'Add domain');
  await page.getByRole('heading', { name: 'go.warung.example' }).waitFor();
  await page.getByText('_tautan.go.warung.example').waitFor();
  for (const name of ['domains', 'webhooks', 'audit-log', 'members', 'api-keys', 'billing', 'settings']) {
    await page.goto(`/app/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[class*="skeletons"]').first().waitFor({ state: 'detached' });
    await forEachAppearance(page, async (appearance) => {
      await screenshot(page, `${name}-${appearance}`);
      await expectAccessible(page);
      expect(await fits(page)).toBe(true);
    });
  }
  expect(problems).toEqual([]);
  await context.close();
}, 120_000);

test.each(LOCALES)(
  'API keys, deliveries and failed domain checks fit narrow phones: %s',
  async (locale) => {
    const { person: owner, workspaceId } = await app.anOwner();
    const api = owner.in(workspaceId);
    const domain = { domain: `${randomUUID()}.example` };
    const { id } = accepted(await api.post<{ id: string }>('/domains', domain));
    accepted(await api.post(`/domains/${id}/verify`, {}));
    accepted(await api.post('/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'] }));
    accepted(await api.post('/links', { url: 'https://example.com/menu', tags: ['menu'] }));
    for (let i = 0; i < 2; i += 1) accepted(await api.post('/auth/api-keys', { label: 'nightly import' }));
    const { page, problems } = await app.signedIn({ person: owner, path: '/app/webhooks', locale });
    await eventually(async () => {
      await page.reload();
      await page.getByText('link.created').first().waitFor({ timeout: 2_000 });
    }, 20_000);
    for (const name of ['webhooks', 'domains', 'api-keys', 'settings']) {
      await page.goto(`/app/${name}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[class*="skeletons"]').first().waitFor({ state: 'detached' });
      await expectFits(page, `${name}-${locale}`);
    }
    expect(problems).toEqual([]);
  },
  120_000,
);
