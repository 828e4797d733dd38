import { html, page, type Page } from '@tautan/local-web';

/** Shown on every page that does not report an error. */
export const sandboxNote = html`<p class="note">This is a sandbox: no card is charged, and no money moves.</p>`;

export const landingPage = (): Page =>
  page({
    title: 'Payments',
    lead: 'This server has the checkout pages of the local payment sandbox. To buy a plan, create a checkout with the Tautan API and open its URL.',
    content: sandboxNote,
  });

/** Returns a page that reports an error. */
export const failurePage = (status: number, title: string, lead: string): Page =>
  page({ status, title, lead, symbol: 'refused' });
