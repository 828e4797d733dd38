import { expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { Page } from 'playwright-core';
import { injectFaults } from '../support/api-faults.js';
import { accepted, aPerson, type Person } from '../support/people.js';
import { BOT, visit } from '../support/visitor.js';
import { expectAccessible, fits, forEachAppearance, screenshot } from '../support/web-app.js';
import { webSuite } from '../support/web-suite.js';

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const KIRITIMATI = 'Pacific/Kiritimati';
// The statistics pages of the web application, in a real browser.
const app = webSuite();

/**
 * Creates a user whose workspace has a link with three clicks by humans on a phone and one request by a bot.
 * Returns the user, the slug of the link, and the hours in `KIRITIMATI` in which the clicks may have been counted: two
 * if the hour changed during the visits.
 */
async function aClickedLink(): Promise<{ person: Person; slug: string; hours: Set<string> }> {
  const person = await aPerson(app.stack);
  const { api } = person;
  const { slug } = accepted(await api.post<{ slug: string }>('/links', { url: 'https://example.com/menu' }));
  const hours = new Set([hourIn(KIRITIMATI)]);
  for (const userAgent of [phone, phone, phone, BOT]) await visit(app.stack.baseUrl, `/${slug}`, { userAgent });
  hours.add(hourIn(KIRITIMATI));
  const clicks = async () =>
    accepted(await api.get<{ totals: { clicks: number } }>('/workspaces/current/stats')).totals.clicks;
  await eventually(async () => expect(await clicks()).toBe(3), 20_000);
  return { person, slug, hours };
}

/** Returns the current hour in a time zone, in the format of the table. */
const hourIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
    .format(new Date())
    .replace(/\d\d$/, '00');

const total = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name }).locator('strong');
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('statistics of clicks are shown in the time zone that the user chooses, and are updated automatically', async () => {
  const { person, slug, hours } = await aClickedLink();
  const { page, problems } = await app.signedIn({
    person,
    path: '/app/statistics',
    timezoneId: 'Asia/Jakarta',
  });
  await page.getByText('3 clicks today').waitFor();
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Jakarta');
  expect(await total(page, 'Clicks').innerText()).toBe('3');
  expect(await total(page, 'Bots').innerText()).toBe('1');
  expect(await card(page, 'Devices').getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Phone\s+3\s+100%/),
  ]);
  expect(await card(page, 'Top links').getByRole('link').innerText()).toBe(`/${slug}`);
  await page.getByRole('img', { name: 'World map of clicks by country' }).waitFor();

  await page.getByLabel('Time zone').selectOption(KIRITIMATI);
  await page.getByRole('button', { name: 'Today', exact: true }).click();
  await page.waitForURL(/range=today/);
  expect(page.url()).toContain(`tz=${encodeURIComponent(KIRITIMATI)}`);
  await page.getByRole('button', { name: 'Table' }).click();
  const counted = page.getByRole('row').filter({ has: page.getByRole('cell', { name: '3', exact: true }) });
  // The figures of the previous range are shown until those of the new one are loaded.
  await eventually(async () => expect([...hours]).toContain(await counted.getByRole('cell').first().innerText()));

  await visit(app.stack.baseUrl, `/${slug}`, { userAgent: phone });
  await page.getByText('4 clicks today').waitFor();
  await eventually(async () => expect(await total(page, 'Clicks').innerText()).toBe('4'), 20_000);
  expect(problems).toEqual([]);
}, 90_000);

test('the user can type the dates of the range, and a date that the user clears is restored', async () => {
  const person = await aPerson(app.stack);
  const { page, problems } = await app.signedIn({ person, path: '/app/statistics' });
  const from = page.getByLabel('From', { exact: true });
  const to = page.getByLabel('To', { exact: true });
  await from.focus();
  // Day and month are equal, because their order depends on the browser's language.
  await page.keyboard.type('04042025');
  await to.focus();
  await page.waitForURL(/from=2025-04-04&/);
  await page.keyboard.type('06062025');
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=2025-04-04&to=2025-06-06$/);
  await to.fill('');
  await to.blur();
  const range = async () => [await from.inputValue(), await to.inputValue()];
  await eventually(async () => expect(await range()).toEqual(['2025-04-04', '2025-06-06']));
  expect(problems).toEqual([]);
});

test('a range is compared with the previous period only if the plan still keeps the statistics of that period', async () => {
  const { person } = await aClickedLink();
  const { page, problems } = await app.signedIn({ person });
  await page.route('**/api/v1/billing/plan', async (route) => {
    const response = await route.fetch();
    const plan = (await response.json()) as { data: { limits: object } };
    Object.assign(plan.data.limits, { analyticsRetentionDays: 30 });
    await route.fulfill({ response, json: plan });
  });
  await page.goto('/app/statistics?range=7d');
  await page.getByText('Previously 0').first().waitFor();
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/workspaces/current/stats')) requested.push(searchParams.get('from')!);
  });
  const loaded = page.waitForResponse((response) => response.url().includes('granularity=month'));
  await page.getByRole('button', { name: '12 months', exact: true }).click();
  await loaded;
  const from = await page.getByLabel('From', { exact: true }).inputValue();
  expect(requested).toContain(from);
  expect(requested.filter((other) => other < from)).toEqual([]);
  expect(await page.getByText('Previously 0').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('the chart can be read by keyboard, and the page is accessible on phones and desktops, in light and dark mode', async () => {
  const { person } = await aClickedLink();
  const { page, problems } = await app.signedIn({ person, path: '/app/statistics?range=7d' });
  const reader = page.getByRole('slider', { name: 'Over time' });
  await reader.focus();
  expect(await reader.getAttribute('aria-valuetext')).toMatch(/: 3 clicks, \d visitors?$/);
  await reader.press('ArrowLeft');
  expect(await reader.getAttribute('aria-valuetext')).toMatch(/: 0 clicks, 0 visitors$/);
  await forEachAppearance(page, async (appearance) => {
    expect(await fits(page)).toBe(true);
    await screenshot(page, `statistics-${appearance}`);
    await expectAccessible(page);
  });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Export' })
      .click()
      .then(() => page.getByRole('menuitem', { name: 'Download CSV' }).click()),
  ]);
  expect(download.suggestedFilename()).toMatch(/^statistics-.*\.csv$/);
  expect(problems).toEqual([]);
}, 90_000);

test('while figures load, those of the previous range cannot be exported, and those of the previous link are not shown', async () => {
  const { person, slug } = await aClickedLink();
  const { api } = person;
  const { id } = accepted(await api.get<{ id: string }>(`/links/${slug}`));
  const other = accepted(await api.post<{ id: string }>('/links', { url: 'https://example.com/other' }));
  const { page } = await app.signedIn({ person, path: `/app/links/${id}` });
  // The page shows two totals of clicks; the first is in the card about the link.
  const clicks = total(page, 'Clicks').last();
  await eventually(async () => expect(await clicks.innerText()).toBe('3'), 20_000);
  const exportButton = page.getByRole('button', { name: 'Export' });
  expect(await exportButton.isEnabled()).toBe(true);
  const faults = await injectFaults(page);
  faults.delayMs = 4_000;
  await page.getByRole('button', { name: 'Today', exact: true }).click();
  await page.waitForURL(/range=today/);
  expect(await exportButton.isDisabled()).toBe(true);
  await eventually(async () => expect(await exportButton.isEnabled()).toBe(true), 5_000);
  // Navigate from one link to the other without reloading the page.
  await page.evaluate(`history.pushState(null, '', '/app/links/${other.id}')`);
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
  await eventually(async () => expect(await clicks.innerText()).toBe('–'), 3_000);
  await eventually(async () => expect(await clicks.innerText()).toBe('0'), 10_000);
}, 90_000);
