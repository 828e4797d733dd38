import type { Link } from '../api/records.js';
import { details, printableOrNull } from './details.js';
import type { Style } from './style.js';
import { table } from './table.js';
import { count, printable } from './text.js';
import { formatRelativeTime, formatDateTime } from './times.js';

const colors = { active: 'green', expired: 'red', archived: 'yellow' } as const;

/** Returns the color function for a status. Unknown statuses have no color. */
export const statusPaint = (style: Style, status: Link['status']) =>
  status in colors ? style[colors[status]] : (text: string) => text;

export const withoutScheme = (url: string) => url.replace(/^https?:\/\//, '');

/** Returns a table of links. */
export function linkTable(links: Link[], style: Style, width?: number): string {
  return table<Link>(
    links,
    [
      { title: 'SHORT LINK', value: (link) => withoutScheme(link.shortUrl), paint: style.cyan, minWidth: 22 },
      { title: 'DESTINATION', value: (link) => withoutScheme(link.url), minWidth: 26 },
      { title: 'CLICKS', value: (link) => count(link.clickCount), align: 'right' },
      { title: 'STATUS', value: (link) => link.status, paint: (cell, link) => statusPaint(style, link.status)(cell) },
      { title: 'TAGS', value: (link) => link.tags.join(', '), minWidth: 8, omitPriority: 2 },
      { title: 'CREATED', value: (link) => formatRelativeTime(link.createdAt), paint: style.dim, omitPriority: 1 },
    ],
    style,
    width,
  );
}

/** Returns the details of a link as text. */
export function linkDetails(link: Link, style: Style): string {
  const clicks =
    link.maxClicks === null ? count(link.clickCount) : `${count(link.clickCount)} of ${count(link.maxClicks)}`;
  const head = `${style.bold(style.cyan(printable(link.shortUrl)))}\n${style.dim('→')} ${printable(link.url)}`;
  const facts = details(
    [
      ['Title', printableOrNull(link.title)],
      ['Description', printableOrNull(link.description)],
      ['Status', statusPaint(style, link.status)(link.status)],
      ['Clicks', link.lastClickAt ? `${clicks}, last ${formatRelativeTime(link.lastClickAt)}` : clicks],
      ['QR codes', link.qrCodeCount > 0 ? count(link.qrCodeCount) : null],
      ['Tags', printableOrNull(link.tags.join(', '))],
      ['Expires', link.expiresAt && formatDateTime(link.expiresAt)],
      ['Created', formatDateTime(link.createdAt)],
      ['Changed', link.updatedAt === link.createdAt ? null : formatDateTime(link.updatedAt)],
      ['Id', link.id],
    ],
    style,
  );
  return `${head}\n\n${facts}`;
}
