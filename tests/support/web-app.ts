import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { CookieClient } from '@tautan/kit/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Person } from './people.js';
import type { Stack } from './stack.js';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** Languages of the application, as locales of a browser. */
export const LOCALES = ['en-GB', 'id-ID'] as const;

/** A tab of the web application. */
export interface AppTab {
  page: Page;
  context: BrowserContext;
  /** Problems that the browser reported: uncaught exceptions and violations of the content security policy. */
  problems: string[];
}

/** Opens a tab for a user who is not signed in. */
export async function openTab(browser: Browser, stack: Stack, options: BrowserContextOptions = {}): Promise<AppTab> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    locale: 'en-GB',
    baseURL: stack.baseUrl,
    // A headless browser needs this permission. Browsers with a window allow clipboard writes without a prompt.
    permissions: ['clipboard-write'],
    // Animations are expensive without a GPU.
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (entry) => {
    if (/Content Security Policy/i.test(entry.text())) problems.push(entry.text());
  });
  return { page, context, problems };
}

/** Opens a page of the application as a user, with the session cookie of a real sign-in. */
export async function signedInTab(
  browser: Browser,
  stack: Stack,
  {
    person,
    path = '/app',
    ...options
  }: BrowserContextOptions & { person: Pick<Person, 'email' | 'password'>; path?: string },
): Promise<AppTab> {
  const tab = await openTab(browser, stack, options);
  await addSession(tab.context, stack, person);
  await tab.page.goto(path);
  await tab.page.getByRole('heading', { level: 1 }).waitFor();
  await tab.page.locator('main#content').waitFor();
  return tab;
}

/** Adds the cookies of a sign-in to `context`. Signs in without the browser, to save time. */
async function addSession(
  context: BrowserContext,
  { baseUrl }: Stack,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  // One client for the product and the identity provider: their URLs differ only in the port, which cookies ignore.
  const client = new CookieClient();
  const page = await client.send(`${baseUrl}/api/v1/auth/authorize`);
  const [, action] = /<form method="post" action="([^"]+)">/.exec(await page.text())!;
  const form = { method: 'POST', body: new URLSearchParams({ email, password }) };
  const { ok, status, url } = await client.send(new URL(action!, page.url).href, form);
  if (!ok) throw new Error(`${url} responded with ${status}`);
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: baseUrl })));
}

/** Signs in on the page of the identity provider. */
export async function fillSignIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** Throws if axe finds a violation of WCAG 2.2 AA or of axe's own best practices in the current state of the page. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await readFile(axePath, 'utf8'));
  const violations: Violation[] = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) => violations)`,
  );
  const problems = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => String(target)).join(', ')}`,
  );
  if (problems.length > 0) throw new Error(`axe found violations at ${page.url()}:\n${problems.join('\n')}`);
}

/** Returns whether the page fits the width of the viewport. */
export const fits = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

/** Describes each element that is narrower than its content. Ignores code, form fields and text with an ellipsis. */
const tooNarrow = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('html, dialog[open], dialog[open] *, main, main *')]
    .filter((element) => element.clientWidth > 1 && element.scrollWidth > element.clientWidth)
    .filter((element) => !element.matches('pre, input, select, textarea'))
    .filter((element) => getComputedStyle(element).textOverflow !== 'ellipsis')
    .map(({ localName, className, scrollWidth, clientWidth }) =>
      localName + '.' + className + ': ' + scrollWidth + ' > ' + clientWidth)`);

/**
 * Waits until transitions and animations have ended, because intermediate colors can have too little contrast.
 * Throws if an animation does not end: with reduced motion, no animation may run forever.
 */
const settle = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    for (let i = 0; document.getAnimations().length > 0; i += 1) {
      const { animationName, transitionProperty } = document.getAnimations()[0];
      if (i === 250) throw new Error('An animation does not end: ' + (animationName ?? transitionProperty));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })()`);

/**
 * Throws if the page or an open dialog does not fit the widths of phones or a laptop, or axe finds a violation. Leaves
 * the page at the narrowest width.
 */
export async function expectFits(page: Page, name: string): Promise<void> {
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await screenshot(page, `${name}-${width}`);
    const found = await tooNarrow(page);
    if (found.length > 0)
      throw new Error(`At ${width} px, ${page.url()} has content that does not fit:\n${found.join('\n')}`);
  }
  await settle(page);
  await expectAccessible(page);
}

/** Layout depends on the viewport and colors on the color scheme, so not every combination is checked. */
const appearances = [
  { viewport: PHONE, colorScheme: 'dark' },
  { viewport: DESKTOP, colorScheme: 'light' },
] as const;

/** Runs `check` on a phone in dark mode, then on a desktop in light mode. */
export async function forEachAppearance(page: Page, check: (appearance: string) => Promise<void>): Promise<void> {
  for (const { viewport, colorScheme } of appearances) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await settle(page);
    await check(`${viewport.width}-${colorScheme}`);
  }
}

/** Saves a screenshot of the page if `SCREENSHOTS` names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Returns the upper-case tag name of the focused element. */
export const focusedTag = (page: Page): Promise<string> => page.evaluate('document.activeElement.tagName');
