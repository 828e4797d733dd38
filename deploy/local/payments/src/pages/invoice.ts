import { html, page, type Html, type Page } from '@tautan/local-web';
import { moneyText } from '../money.js';
import type { Invoice } from '../objects/invoices.js';
import { dayText, daysText } from '../objects/periods.js';
import { sandboxNote } from './messages.js';

/** Returns the page of an invoice for the customer. `isDeclined` reports a failed payment. */
export function invoicePage(invoice: Invoice, isDeclined = false): Page {
  const { currency, total, amount_due: due, status, number, created, customer_email: email, lines } = invoice;
  const isPaid = status === 'paid';
  const money = (amount: number): string => moneyText(amount, currency);
  const fromAccount = Math.max(0, total - due);
  return page({
    status: isDeclined ? 402 : 200,
    ...(isPaid && { symbol: 'done' as const }),
    title: total < 0 ? `${money(-total)} credited to your account` : `${money(due)} ${isPaid ? 'paid' : 'to pay'}`,
    lead: html`Invoice <b>${number ?? invoice.id}</b> dated
      ${dayText(created)}${email !== null && html` for <b>${email}</b>`}`,
    content: html`${isDeclined && html`<p class="alert" role="alert">The card was declined. Change the card in the customer portal and try again.</p>`}
      <dl>
        ${lines.data.map(({ description, amount, period }) =>
          line(html`${description}<small>${daysText(period)}</small>`, money(amount)),
        )}
        ${fromAccount > 0 && line(html`Paid with account credit`, money(-fromAccount))}
      </dl>
      ${sandboxNote}
      ${status === 'open' && html`<form method="post" action="/invoices/${invoice.id}/pay"><button>Pay ${money(due)}</button></form>`}`,
  });
}

const line = (label: Html, amount: string): Html =>
  html`<div class="line">
    <dt>${label}</dt>
    <dd>${amount}</dd>
  </div>`;
