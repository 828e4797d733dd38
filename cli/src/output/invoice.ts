import type { Invoice } from '../api/records.js';
import { money } from './money.js';
import type { Style } from './style.js';
import { table } from './table.js';
import { dateOf } from './times.js';

const colors = { paid: 'green', failed: 'red', refunded: 'yellow', pending: 'yellow' } as const;

/** Returns the color function for a status. Unknown statuses have no color. */
const statusPaint = (style: Style, status: Invoice['status']) =>
  status in colors ? style[colors[status]] : (text: string) => text;

/** Returns a table of invoices. */
export function invoiceTable(invoices: Invoice[], style: Style, width?: number): string {
  return table<Invoice>(
    invoices,
    [
      { title: 'DATE', value: ({ date }) => dateOf(date) },
      { title: 'DESCRIPTION', value: ({ description }) => description, minWidth: 12 },
      { title: 'AMOUNT', value: ({ amount, currency }) => money(amount, currency), align: 'right' },
      { title: 'STATUS', value: ({ status }) => status, paint: (cell, { status }) => statusPaint(style, status)(cell) },
      { title: 'INVOICE', value: ({ invoiceUrl }) => invoiceUrl ?? '', paint: style.dim, omitPriority: 1 },
    ],
    style,
    width,
  );
}
