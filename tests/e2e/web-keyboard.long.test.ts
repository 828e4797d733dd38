import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accepted, aPerson } from '../support/people.js';
import { readQr } from '../support/qr-reader.js';
import { visit } from '../support/visitor.js';
import { webSuite } from '../support/web-suite.js';

// The first steps in the web application, with the keyboard only.

const MAX_TABS = 60;
const app = webSuite();

/** Returns the name of the focused element (its label or text), and whether its focus is visible. */
const focused = (page: Page): Promise<{ name: string; isVisible: boolean }> =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    const text = element.labels?.[0]?.textContent ?? element.textContent;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return {
      name: (element.getAttribute('aria-label') ?? text).trim(),
      isVisible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1,
    };
  })()`);

/** Presses Tab until an element with this name has the focus, which must be visible. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let i = 0; i < MAX_TABS; i += 1) {
    await page.keyboard.press('Tab');
    const { name: current, isVisible } = await focused(page);
    if (typeof name === 'string' ? current === name : name.test(current)) {
      expect({ name: current, isVisible }).toEqual({ name: current, isVisible: true });
      return;
    }
    passed.push(current);
  }
  throw new Error(`No element named ${String(name)} can be reached. Tab passed ${passed.join(', ')}.`);
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

test('a user signs in, creates a link, opens its page, downloads its QR code, archives it and undoes that, with the keyboard only', async () => {
  const person = await aPerson(app.stack);
  const { page, problems } = await app.open();
  await page.goto('/app/links');
  await page.getByRole('heading', { name: 'Sign in to Tautan' }).waitFor();
  await press(page, 'Sign in');
  await page.getByLabel('Password').waitFor();
  await page.getByLabel('Email').focus();
  await page.keyboard.type(person.email);
  await tabTo(page, 'Password');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');

  await page.getByText('Create your first link').waitFor();
  await tabTo(page, 'Skip to content');
  await page.keyboard.press('Enter');
  await press(page, 'New link');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('https://example.com/kopi');
  await tabTo(page, /^Slug/);
  await page.keyboard.type('kopi-by-keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
  await press(page, 'Details');
  await page.locator('h1:focus').waitFor();
  expect((await visit(app.stack.baseUrl, '/kopi-by-keyboard')).status).toBe(302);
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByRole('definition').filter({ hasText: /^1$/ }).waitFor();
  await tabTo(page, 'Download PNG');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(await readQr(await readFile(await download.path()))).toBe(`${app.stack.baseUrl}/kopi-by-keyboard`);

  await page.keyboard.press('Escape');
  await page.goto('/app/links');
  await page.getByRole('row').nth(1).waitFor();
  await press(page, /^Actions for/);
  await page.getByRole('menuitem', { name: 'Open' }).and(page.locator(':focus')).waitFor();
  while ((await focused(page)).name !== 'Archive') await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('1 link archived.', { exact: true }).waitFor();
  // F8 moves the focus to the notices.
  await page.keyboard.press('F8');
  await press(page, 'Undo');
  await page.getByText('1 link activated.', { exact: true }).waitFor();
  const links = accepted(await person.api.get<{ status: string }[]>('/links'));
  expect(links.map(({ status }) => status)).toEqual(['active']);
  expect(problems).toEqual([]);
}, 120_000);
