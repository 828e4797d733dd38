import { MongoClient } from 'mongodb';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser.js';
import { signedInTab } from '../../support/web-app.js';
import type { Stack } from '../../support/stack.js';
import type { Bench } from '../bench.js';
import { ClickStream } from '../click-stream.js';
import type { Figure } from '../figure.js';
import { copyLink } from '../seed.js';
import { benchStack } from '../stack.js';
import { aClosedDay, copyDay, periodsOf, publishDay, untilDayClosed } from './stats-year.js';

const LINKS = 100_000;
const ROUNDS = 5;
const SCROLLS = 30;
/** Users notice tasks that block the page for longer than this. */
const MAX_TASK_MS = 200;

const longTasks = `
  window.longTasks = [0];
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => window.longTasks.push(duration)))
    .observe({ type: 'longtask', buffered: true });
`;
const longestTask = (page: Page): Promise<number> => page.evaluate('Math.max(...window.longTasks.splice(0), 0)');

/**
 * Measures, in a browser, the web application with 100,000 links, and the statistics page of a link with ten million
 * clicks.
 */
export async function web(bench: Bench): Promise<Figure[]> {
  const stack = await benchStack(bench);
  const { workspaceId, person } = await stack.quickstart();
  bench.say(`seeding ${LINKS.toLocaleString('en')} links and ten million clicks`);
  const link = await seed(bench, stack, workspaceId);
  const browser = await launchBrowser();
  bench.atEnd(() => browser.close());
  const { page } = await signedInTab(browser, stack, { person, path: '/app/tags' });
  await page.addInitScript(longTasks);
  return [...(await linksPage(page)), await statisticsPage(page, link)];
}

/** Creates a link with a year of clicks, and copies of it that have no clicks. Returns the id of the original. */
async function seed(bench: Bench, stack: Stack, workspaceId: string): Promise<string> {
  const { mongodb, nats } = await stack.quickstart();
  const client = new MongoClient(mongodb.uri);
  bench.atEnd(() => client.close());
  const db = client.db(`${stack.databasePrefix}tautan_links`);
  const response = await fetch(`${stack.baseUrl}/api/v1/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/', slug: 'busy' }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  await copyLink(db, 'busy', LINKS - 1);
  const stream = await ClickStream.open(nats.url, workspaceId, [data.id]);
  bench.atEnd(() => stream.close());
  const day = aClosedDay();
  await publishDay(stream, day);
  await untilDayClosed(periodsOf(db), data.id, day);
  await copyDay(periodsOf(db), data.id, day);
  return data.id;
}

async function linksPage(page: Page): Promise<Figure[]> {
  const firstRows = await slowest(() =>
    timed(async () => {
      await page.goto('/app/links');
      await page.locator('tr[aria-rowindex="2"]').waitFor();
    }),
  );
  await longestTask(page);
  await page.mouse.move(700, 500);
  for (let i = 0; i < SCROLLS; i += 1) {
    const rows = await page.locator('table').getAttribute('aria-rowcount');
    await page.mouse.wheel(0, 10_000);
    await page.locator(`table:not([aria-rowcount="${rows}"])`).waitFor();
  }
  const longestScrollTask = await longestTask(page);
  const loaded = Number(await page.locator('table').getAttribute('aria-rowcount'));
  const search = await slowest(async (round) => {
    await page.getByRole('searchbox').fill('');
    await page.locator('tr[aria-rowindex="15"]').waitFor({ state: 'attached' });
    return timed(async () => {
      await page.getByRole('searchbox').pressSequentially(`Campaign 7654${round}`);
      await page.locator('table[aria-rowcount="2"]').waitFor();
    });
  });
  const longestSearchTask = await longestTask(page);
  return [
    {
      label: `first rows of ${LINKS.toLocaleString('en')} links`,
      value: firstRows,
      unit: 'ms',
      bound: { atMost: 1_000 },
    },
    {
      label: 'longest task while scrolling',
      value: longestScrollTask,
      unit: 'ms',
      bound: { atMost: MAX_TASK_MS },
      note: `${loaded.toLocaleString('en')} links loaded`,
    },
    { label: 'search, from the first keystroke to the results', value: search, unit: 'ms', bound: { atMost: 2_000 } },
    { label: 'longest task while searching', value: longestSearchTask, unit: 'ms', bound: { atMost: MAX_TASK_MS } },
  ];
}

async function statisticsPage(page: Page, link: string): Promise<Figure> {
  const value = await slowest(() =>
    timed(async () => {
      await page.goto(`/app/links/${link}?range=12m`);
      await page
        .getByText(/^(?:9|10),\d{3},\d{3}$/)
        .first()
        .waitFor();
      await page.getByRole('slider', { name: 'Over time' }).waitFor();
    }),
  );
  return { label: 'statistics page of 10 million clicks', value, unit: 'ms', bound: { atMost: 1_000 } };
}

async function timed(run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/** Returns the slowest of several measurements, after an uncounted warm-up. */
async function slowest(measure: (round: number) => Promise<number>): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) durations.push(await measure(round));
  return Math.max(...durations.slice(1));
}
