import { html, page, type Html, type Page } from '@tautan/local-web';
import { moneyText } from '../money.js';
import { cardIds, cardOf, cards } from '../objects/cards.js';
import type { Customer } from '../objects/customers.js';
import type { Invoice } from '../objects/invoices.js';
import { dayText, daysText } from '../objects/periods.js';
import { periodEndOf, type Subscription } from '../objects/subscriptions.js';
import { intervalText, row } from './checkout.js';
import { sandboxNote } from './messages.js';

export interface PortalView {
  /** The secret in the portal's URL. */
  secret: string;
  customer: Customer;
  /** The current subscription and the name of its product. */
  subscription: { found: Subscription; product: string } | undefined;
  /** Newest first. */
  invoices: readonly Invoice[];
  returnUrl: string | null;
}

/** Returns the portal page: the subscription, the card and the invoices. */
export const portalPage = (view: PortalView): Page =>
  page({
    title: 'Your subscription',
    ...(view.customer.email !== null && { lead: html`For <b>${view.customer.email}</b>` }),
    content: html`${subscriptionPart(view)} ${cardPart(view)} ${invoicesPart(view.invoices)} ${sandboxNote}
    ${view.returnUrl !== null && html`<a class="button quiet" href="${view.returnUrl}">Back to Tautan</a>`}`,
  });

function subscriptionPart({ subscription, secret }: PortalView): Html {
  if (!subscription) return html`<p class="lead">There is no active subscription.</p>`;
  const { found, product } = subscription;
  const [item] = found.items.data;
  const { price, current_period_start: start, current_period_end: end } = item!;
  const ends = found.cancel_at !== null;
  const action = ends ? 'resume' : 'cancel';
  return html`${found.status === 'past_due' && html`<p class="alert" role="alert">The last payment failed. Change the card and pay the open invoice.</p>`}
    <dl>
      ${row('Plan', html`${product}<small>${moneyText(price.unit_amount, price.currency)} every ${intervalText(price)}</small>`)}
      ${row('Period', daysText({ start, end }))} ${row(ends ? 'Ends' : 'Renews', dayText(periodEndOf(found)))}
    </dl>
    <form method="post" action="/portal/${secret}/${action}">
      <button class="${ends ? '' : 'quiet'}">
        ${ends ? 'Resume subscription' : 'Cancel at the end of the period'}
      </button>
    </form>`;
}

function cardPart({ customer, secret }: PortalView): Html {
  const current = cardOf(customer);
  const other = cardIds.find((id) => id !== current)!;
  const describe = (id: typeof current) =>
    cards[id].works ? 'a test card that works' : 'a test card whose payments fail';
  return html`<h2>Card</h2>
    <dl>${row('Pays with', html`•••• ${cards[current].last4}<small>${describe(current)}</small>`)}</dl>
    <form method="post" action="/portal/${secret}/card">
      <input type="hidden" name="card" value="${other}" />
      <button class="quiet">Use •••• ${cards[other].last4} (${cards[other].works ? 'works' : 'payments fail'})</button>
    </form>`;
}

const statuses: Record<Invoice['status'], string> = {
  draft: 'draft',
  open: 'to pay',
  paid: 'paid',
  uncollectible: 'not paid',
  void: 'void',
};

const invoicesPart = (invoices: readonly Invoice[]): Html =>
  html`<h2>Invoices</h2>
    ${
      invoices.length === 0
        ? html`<p class="lead">There are no invoices yet.</p>`
        : html`<dl>${invoices.map(invoiceLine)}</dl>`
    }`;

const invoiceLine = ({ id, number, created, total, currency, status }: Invoice): Html =>
  html`<div class="line">
    <dt><a href="/invoices/${id}">${number ?? id}</a><small>${dayText(created)}</small></dt>
    <dd>${moneyText(total, currency)}<small>${statuses[status]}</small></dd>
  </div>`;
