import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { injectFaults, randomly } from '../support/api-faults.js';
import { accepted, aPerson, joins, type Person } from '../support/people.js';
import { expectAccessible, fillSignIn, screenshot } from '../support/web-app.js';
import { webSuite } from '../support/web-suite.js';

// The web application with a slow, failing or unreachable API, an ended session, and pages that the user has no access
// to.
const app = webSuite();

interface ApiLink {
  id: string;
  url: string;
  title: string | null;
  status: string;
}

const linksOf = async (person: Person, workspaceId: string): Promise<ApiLink[]> =>
  accepted(await person.in(workspaceId).get<ApiLink[]>('/links'));
const aLink = async (person: Person, workspaceId: string): Promise<ApiLink> =>
  accepted(await person.in(workspaceId).post<ApiLink>('/links', { url: 'https://example.com/kopi', title: 'Kopi' }));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const destination = (page: Page) => page.getByRole('textbox', { name: 'Destination' });
const failure = (page: Page) => page.getByRole('alert');

/**
 * Clicks a button until the text `done` is shown. Every failure must be shown and keep the dialog open. Returns the
 * number of clicks.
 */
async function clickUntilDone(page: Page, name: string, done: string): Promise<number> {
  const shown = page.getByText(done).first();
  for (let attempt = 1; ; attempt += 1) {
    await button(page, name).click();
    await page.getByRole('button', { name, exact: true, disabled: true }).waitFor();
    const again = page.getByRole('button', { name, exact: true, disabled: false });
    await shown.or(again).first().waitFor({ timeout: 60_000 });
    if (await shown.isVisible()) return attempt;
    expect(await page.getByRole('dialog').getByRole('alert').isVisible()).toBe(true);
  }
}

const paths = [
  ['links', 'Create your first link'],
  ['qr-codes', 'Create your first QR code'],
  ['statistics', 'Over time'],
  ['tags', 'No tags yet'],
  ['domains', 'No custom domains yet'],
  ['webhooks', 'No webhook endpoints yet'],
  ['audit-log', 'workspace.created'],
  ['members', 'Owner'],
  ['api-keys', 'No API keys yet'],
  ['billing', 'Links per month'],
  ['settings', 'This browser'],
] as const;

test('every page shows that it could not be loaded, and can be loaded again', async () => {
  const { person } = await app.anOwner();
  const { page, problems } = await app.signedIn({ person });
  const faults = await injectFaults(page);
  for (const [path, content] of paths) {
    const isContent = (url: string): boolean => !/\/api\/v1\/(auth\/session|workspaces)$/.test(new URL(url).pathname);
    faults.failing = (route) => (isContent(route.request().url()) ? 'error' : undefined);
    await page.goto(`/app/${path}`);
    await failure(page).first().waitFor();
    await screenshot(page, `failed-${path}`);
    await expectAccessible(page);
    faults.failing = () => undefined;
    while ((await button(page, 'Try again').count()) > 0) {
      // One click can load several parts again, so that the other buttons disappear.
      const click = button(page, 'Try again').first().click({ timeout: 1_000 });
      await click.catch(() => undefined);
      await page.waitForLoadState('networkidle');
    }
    await page.getByText(content).first().waitFor();
    expect(await failure(page).count()).toBe(0);
  }
  expect(problems).toEqual([]);
}, 180_000);

test('with an API that takes 2 seconds and fails at random, nothing that was entered is lost', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { page, problems } = await app.signedIn({ person, path: '/app/tags' });
  const faults = await injectFaults(page);
  Object.assign(faults, { delayMs: 2_000, failing: randomly(0.35) });
  const content = page.getByText('Create your first link');
  const openLinks = async (): Promise<void> => {
    await page.getByRole('navigation').getByRole('link', { name: 'Links' }).click();
    while (!(await content.isVisible())) {
      await content.or(button(page, 'Try again').first()).first().waitFor({ timeout: 60_000 });
      if (!(await content.isVisible())) await button(page, 'Try again').first().click();
      await page.waitForTimeout(100);
    }
  };
  await openLinks();
  await button(page, 'New link').click();
  await destination(page).fill('https://example.com/kopi');
  // Make the first attempt fail. One error is enough, because the client does not retry a request after a response with
  // status 500.
  const random = faults.failing;
  let remainingFailures = 1;
  faults.failing = (route) =>
    route.request().method() === 'POST' && remainingFailures-- > 0 ? 'error' : random(route);
  expect(await clickUntilDone(page, 'Create link', 'Your link is ready')).toBeGreaterThan(1);
  const [link, ...others] = await linksOf(person, workspaceId);
  expect([link?.url, others]).toEqual(['https://example.com/kopi', []]);

  faults.failing = () => undefined;
  await page.getByRole('link', { name: 'Details' }).click();
  await button(page, 'Edit').click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Kopi tubruk');
  faults.failing = (route) => (route.request().method() === 'PATCH' ? 'error' : random(route));
  await button(page, 'Save changes').click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Kopi tubruk');
  faults.failing = random;
  await clickUntilDone(page, 'Save changes', 'Changes saved.');
  expect(await linksOf(person, workspaceId)).toMatchObject([{ title: 'Kopi tubruk' }]);
  expect(problems).toEqual([]);
}, 300_000);

test('content stays visible with a notice when refreshing it fails', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { id } = await aLink(person, workspaceId);
  const { page } = await app.signedIn({ person, path: `/app/links/${id}?range=7d` });
  await page.getByText('Previously 0').first().waitFor();
  const faults = await injectFaults(page);
  faults.failing = () => 'error';
  await page.getByText('This may be out of date').first().waitFor();
  expect(await page.getByRole('definition').filter({ hasText: 'https://example.com/kopi' }).isVisible()).toBe(true);
  faults.failing = () => undefined;
  await page.getByText('This may be out of date').first().waitFor({ state: 'detached' });
});

test('a change of status is shown immediately, reverted if it fails, and can be undone', async () => {
  const { person, workspaceId } = await app.anOwner();
  await aLink(person, workspaceId);
  const { page } = await app.signedIn({ person, path: '/app/links' });
  const status = (text: string) => page.getByRole('cell', { name: text, exact: true });
  const archive = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
  };
  await status('Active').waitFor();
  const faults = await injectFaults(page);
  Object.assign(faults, { delayMs: 4_000, failing: () => 'error' });
  await archive();
  await status('Archived').waitFor({ timeout: 3_900 });
  await page.getByText('The service failed unexpectedly. Try again.').first().waitFor();
  await status('Active').waitFor();
  faults.failing = () => undefined;
  await archive();
  await page.getByText('1 link archived.', { exact: true }).waitFor();
  expect(await linksOf(person, workspaceId)).toMatchObject([{ status: 'archived' }]);

  faults.failing = () => 'error';
  await button(page, 'Undo').click();
  await page.getByText('The service failed unexpectedly. Try again.').last().waitFor();
  faults.failing = () => undefined;
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Activate' }).click();
  await page.getByText('1 link activated.', { exact: true }).waitFor();
  await button(page, 'Undo').last().click();
  await page.getByText('1 link archived.', { exact: true }).last().waitFor();
  expect(await linksOf(person, workspaceId)).toMatchObject([{ status: 'archived' }]);
}, 90_000);

test('a user whose session has ended signs in again in place, and the form keeps its values', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { page, context, problems } = await app.signedIn({ person, path: '/app/links' });
  await button(page, 'New link').click();
  await destination(page).fill('https://example.com/kopi');
  await context.clearCookies();
  await button(page, 'Create link').click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await screenshot(page, 'session-ended');
  await expectAccessible(page);
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page, 'Sign in').click()]);
  await fillSignIn(popup, person);
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
  expect(popup.isClosed() || (await popup.waitForEvent('close'))).toBeTruthy();
  expect(await destination(page).inputValue()).toBe('https://example.com/kopi');
  await button(page, 'Create link').click();
  await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
  expect(await linksOf(person, workspaceId)).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('Escape closes neither the dialog that asks the user to sign in again, nor the form behind it', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { page, context } = await app.signedIn({ person, path: '/app/links' });
  await button(page, 'New link').click();
  await destination(page).fill('https://example.com/kopi');
  await context.clearCookies();
  await button(page, 'Create link').click();
  await button(page, 'Sign in').waitFor();
  // Press Escape several times, because a page can cancel only the first attempts to close a dialog.
  for (let i = 0; i < 6; i += 1) await page.keyboard.press('Escape');
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page, 'Sign in').click()]);
  await fillSignIn(popup, person);
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
  expect(await destination(page).inputValue()).toBe('https://example.com/kopi');
  await button(page, 'Create link').click();
  await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
  expect(await linksOf(person, workspaceId)).toHaveLength(1);
});

test('another user who signs in does not see what the first one entered', async () => {
  const { person } = await app.anOwner();
  const { person: other } = await app.anOwner();
  const { page, context } = await app.signedIn({ person, path: '/app/links' });
  await button(page, 'New link').click();
  await destination(page).fill('https://example.com/secret');
  await context.clearCookies();
  await button(page, 'Create link').click();
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page, 'Sign in').click()]);
  await fillSignIn(popup, other);
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Account: ${other.name}` }).waitFor();
  expect(await destination(page).count()).toBe(0);
});

test('a notice is shown while offline, and the form can be submitted once the connection is restored', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { page, context } = await app.signedIn({ person, path: '/app/links' });
  await button(page, 'New link').click();
  await destination(page).fill('https://example.com/kopi');
  await context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await button(page, 'Create link').click();
  await page.getByText('The service cannot be reached.').waitFor();
  await screenshot(page, 'offline');
  await expectAccessible(page);
  await context.setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  expect(await destination(page).inputValue()).toBe('https://example.com/kopi');
  await button(page, 'Create link').click();
  await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
  expect(await linksOf(person, workspaceId)).toHaveLength(1);
});

test('a URL opens its page, or a notice that access is denied or that nothing exists there', async () => {
  const { person: owner, workspaceId } = await app.anOwner();
  const { id } = await aLink(owner, workspaceId);
  const viewer = await aPerson(app.stack);
  await joins(viewer, 'viewer', { id: workspaceId, by: owner });
  accepted(await viewer.api.post('/workspaces/switch', { workspaceId }));
  const { page, problems } = await app.signedIn({ person: viewer, path: `/app/links/${id}?range=7d` });
  await page.getByRole('button', { name: '7 days', pressed: true }).waitFor();
  await page.getByText('No QR code leads to this link yet.').waitFor();
  expect(await page.getByRole('heading', { name: 'Changes' }).count()).toBe(0);
  for (const path of ['audit-log', 'api-keys', 'links/import', 'qr-codes/new']) {
    await page.goto(`/app/${path}`);
    await page.getByText('You have no access to this').waitFor();
    await expectAccessible(page);
  }
  for (const path of ['links/lnk_01jd3x8q4v5w6y7z8a9b0c1d2e', 'qr-codes/qr_01jd3x8q4v5w6y7z8a9b0c1d2e']) {
    await page.goto(`/app/${path}`);
    await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
    await expectAccessible(page);
  }
  await page.goto('/app/no/such/page');
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await page.getByText('Kopi', { exact: true }).waitFor();
  expect(problems).toEqual([]);
}, 90_000);
