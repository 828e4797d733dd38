import { html, page, type Html, type Page } from '@tautan/local-web';
import { moneyText } from '../money.js';
import { addPeriods, dayText } from '../objects/periods.js';
import type { Price } from '../objects/prices.js';
import { cancelUrlOf, successUrlOf, type LineItem, type Session } from '../objects/sessions.js';
import { sandboxNote } from './messages.js';

/** Returns the interval of a price, such as `month` or `3 months`. */
export const intervalText = ({ recurring: { interval, interval_count: count } }: Price): string =>
  count === 1 ? interval : `${count} ${interval}s`;

interface CheckoutView {
  session: Session;
  items: readonly LineItem[];
  /** Email address of the customer, if known. */
  email: string | null;
  /** Seconds since 1970. */
  now: number;
}

/** Returns the checkout page with its items and buttons; after a failed payment (`isDeclined`), also with an alert. */
export function checkoutPage({ session, items, email, now }: CheckoutView, isDeclined: boolean): Page {
  const total = moneyText(session.amount_total, session.currency);
  const { price } = items[0]!;
  const { interval, interval_count: count } = price.recurring;
  const path = `/pay/${session.id}`;
  const cancel = cancelUrlOf(session);
  return page({
    status: isDeclined ? 402 : 200,
    title: items
      .map(({ description, quantity }) => (quantity === 1 ? description : `${quantity} × ${description}`))
      .join(', '),
    content: html`<p class="price">${total} <small>every ${intervalText(price)}</small></p>
      ${isDeclined && html`<p class="alert" role="alert">The card was declined. You have not been charged.</p>`}
      <dl>
        ${email !== null && row('For', email)} ${row('Card', html`•••• 4242<small>a test card</small>`)}
        ${row('Renews', html`${dayText(addPeriods(now, interval, count))}<small>until you cancel</small>`)}
      </dl>
      ${sandboxNote}
      <form method="post" action="${path}/pay"><button>Pay ${total}</button></form>
      <div class="pair">
        <form method="post" action="${path}/decline"><button class="quiet">Decline card</button></form>
        ${cancel !== null && html`<a class="button quiet" href="${cancel}">Cancel</a>`}
      </div>`,
  });
}

/** Returns a row of a description list. */
export const row = (name: string, value: Html | string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** Returns the page of a session that can no longer be paid. */
export const closedPage = (session: Session): Page =>
  session.status === 'complete'
    ? page({
        symbol: 'done',
        title: 'Payment complete',
        lead: `${moneyText(session.amount_total, session.currency)} was paid. You can close this page.`,
        content: html`<a class="button" href="${successUrlOf(session)}">Back to where you came from</a>${sandboxNote}`,
      })
    : page({
        status: 410,
        symbol: 'refused',
        title: 'This checkout has expired',
        lead: 'It was open for too long or was canceled. Go back and start again.',
      });
