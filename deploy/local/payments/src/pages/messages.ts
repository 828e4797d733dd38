import { html, page, type Page } from '@tautan/local-web';

/** Said on every page. */
export const sandboxNote = html`<p class="note">This is a sandbox: no card is charged, and no money moves.</p>`;

export const landingPage = (): Page =>
  page({
    title: 'Payments',
    lead: 'Subscriptions of this machine are bought here. To buy one, ask the API of Tautan for a checkout and open the address that it answers.',
    content: sandboxNote,
  });

/** An error that no form can show. */
export const failurePage = (status: number, title: string, lead: string): Page =>
  page({ status, title, lead, sign: 'refused' });
