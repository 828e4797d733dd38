import { expect, test } from '@jest/globals';
import { expectAccessible, PHONE } from '../support/web-app.js';
import { webSuite } from '../support/web-suite.js';

// The documentation site, in a real browser.
const suite = webSuite();

test('the search works again after its index could not be loaded', async () => {
  const { page, problems } = await suite.open();
  await page.goto('/docs/');
  await page.route('**/search.json', (route) => route.abort('connectionreset'));
  const results = page.locator('#results li');
  await page.getByRole('searchbox').fill('webhook');
  await page.getByText('The search index could not be loaded.').waitFor();
  await page.unroute('**/search.json');
  await page.getByRole('searchbox').fill('webhooks');
  await results.getByRole('link').first().waitFor();
  expect(await results.first().innerText()).toMatch(/webhook/i);
  await page.getByRole('searchbox').fill('nosuchword');
  await page.getByText('No results.').waitFor();
  expect(problems).toEqual([]);
});

test('code that is wider than the page can be scrolled with the keyboard', async () => {
  const { page, problems } = await suite.open({ viewport: PHONE });
  await page.goto('/docs/api/links');
  const code = page.locator('.code:visible pre').first();
  await code.and(page.locator('[tabindex="0"]')).waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'CLI' }).first().click();
  await expectAccessible(page);
  expect(problems).toEqual([]);
});
