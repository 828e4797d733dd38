import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accepted, aPerson } from '../support/people.js';
import { DESKTOP, PHONE } from '../support/web-app.js';
import { webSuite } from '../support/web-suite.js';

// Budgets of the web application: loaded bytes, and layout shift while loading.
const MAX_SCRIPT_BYTES = 200_000;
/** The upper bound of a cumulative layout shift that Core Web Vitals rate as good. */
const MAX_LAYOUT_SHIFT = 0.1;
const app = webSuite();

const observeShifts = `
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries()
    .filter(({ hadRecentInput }) => !hadRecentInput)
    .forEach((entry) => window.shifts.push({
      value: entry.value,
      nodes: entry.sources.map(({ node }) => String(node?.className || node?.nodeName)),
    })))
    .observe({ type: 'layout-shift', buffered: true });
`;

interface Shift {
  value: number;
  nodes: string[];
}

interface Loaded {
  url: string;
  bytes: number;
  isScript: boolean;
}

const resources = (page: Page): Promise<Loaded[]> =>
  page.evaluate(`performance.getEntriesByType('resource').map(({ name, encodedBodySize, initiatorType }) => ({
    url: name,
    bytes: encodedBodySize,
    isScript: initiatorType === 'script' || new URL(name).pathname.endsWith('.js'),
  }))`);

test('the first page loads less than 200 KB of compressed scripts, and nothing from other origins', async () => {
  const person = await aPerson(app.stack);
  const { page, context, problems } = await app.signedIn({ person, path: '/app/links' });
  // A new page, whose performance entries contain the resources of this visit only.
  const fresh = await context.newPage();
  await page.close();
  await fresh.goto('/app/links');
  await fresh.getByText('Create your first link').waitFor();
  const loaded = await resources(fresh);
  const scripts = loaded.filter(({ isScript }) => isScript);
  const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
  expect(scripts.length).toBeGreaterThan(1);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
  expect(loaded.filter(({ url }) => new URL(url).origin !== app.stack.baseUrl)).toEqual([]);
  expect(problems).toEqual([]);
});

test.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])(
  'pages with content keep their layout while they load, on %s',
  async (_, viewport) => {
    const person = await aPerson(app.stack);
    const { api } = person;
    const links = Array.from({ length: 30 }, (_, n) => ({
      url: `https://example.com/${n}`,
      title: `Menu ${n}`,
      tags: ['menu'],
    }));
    accepted(await api.post('/links/import', { links }));
    const { id } = accepted(await api.post<{ id: string }>('/links', { url: 'https://example.com' }));
    const code = accepted(await api.post<{ id: string }>('/qr-codes', { linkId: id, title: 'Poster' }));
    const { page } = await app.signedIn({ person, viewport });
    await page.addInitScript(observeShifts);
    const paths = ['links', `links/${id}`, 'qr-codes', `qr-codes/${code.id}`, 'statistics', 'tags', 'webhooks'];
    for (const path of [...paths, 'audit-log', 'members', 'billing', 'settings']) {
      await page.goto(`/app/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[class*="skeletons"]').first().waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      const shifts: Shift[] = await page.evaluate('window.shifts');
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      expect({ path, shifts, isSmall: sum < MAX_LAYOUT_SHIFT }).toMatchObject({ path, isSmall: true });
    }
  },
  120_000,
);
