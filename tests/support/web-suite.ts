import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchBrowser } from './browser.js';
import { accepted, aPerson, aWorkspace, type Person } from './people.js';
import { shareStack } from './shared-stack.js';
import type { Stack } from './stack.js';
import { openTab, signedInTab, type AppTab } from './web-app.js';

/** The web application of the shared stack, in a real browser. */
export class WebSuite {
  stack!: Stack;
  browser!: Browser;

  /** Opens a tab for a user who is not signed in. */
  open(options?: BrowserContextOptions): Promise<AppTab> {
    return openTab(this.browser, this.stack, options);
  }

  /** Opens a page of the application as a user. */
  signedIn(options: Parameters<typeof signedInTab>[2]): Promise<AppTab> {
    return signedInTab(this.browser, this.stack, options);
  }

  /** Returns a new user who works in a new workspace that they own. */
  async anOwner(): Promise<{ person: Person; workspaceId: string }> {
    const person = await aPerson(this.stack);
    const { id: workspaceId } = await aWorkspace(person, 'Warung Kopi');
    accepted(await person.api.post('/workspaces/switch', { workspaceId }));
    return { person, workspaceId };
  }
}

/** Starts a browser before the tests of a suite, closes its tabs after each test, and the browser after the last. */
export function webSuite(): WebSuite {
  const suite = new WebSuite();
  beforeAll(async () => {
    suite.stack = await shareStack();
    suite.browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of suite.browser?.contexts() ?? []) await context.close();
  });
  afterAll(() => suite.browser?.close());
  return suite;
}
