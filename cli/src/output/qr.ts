import type { QrCode } from '../api/records.js';
import { details, printableOrNull } from './details.js';
import { statusPaint, withoutScheme } from './link.js';
import type { Style } from './style.js';
import { table } from './table.js';
import { count, printable } from './text.js';
import { formatRelativeTime, formatDateTime } from './times.js';

/** Returns a table of QR codes. */
export function qrTable(codes: QrCode[], style: Style, width?: number): string {
  return table<QrCode>(
    codes,
    [
      { title: 'SLUG', value: ({ slug }) => slug, paint: style.cyan },
      { title: 'TITLE', value: ({ title }) => title ?? '', minWidth: 10, omitPriority: 1 },
      { title: 'DESTINATION', value: ({ url }) => withoutScheme(url ?? ''), minWidth: 16 },
      { title: 'SCANS', value: ({ scanCount }) => count(scanCount), align: 'right' },
      { title: 'STATUS', value: ({ status }) => status, paint: (cell, { status }) => statusPaint(style, status)(cell) },
      { title: 'CREATED', value: ({ createdAt }) => formatRelativeTime(createdAt), paint: style.dim, omitPriority: 2 },
      { title: 'ID', value: ({ id }) => id, paint: style.dim, omitPriority: 3 },
    ],
    style,
    width,
  );
}

/** Returns the details of a QR code as text. */
export function qrDetails(code: QrCode, style: Style): string {
  const { scanCount, maxScans, lastScanAt, styleConfig } = code;
  const scans = maxScans === null ? count(scanCount) : `${count(scanCount)} of ${count(maxScans)}`;
  const head = `${style.bold(style.cyan(printable(code.shortUrl)))}\n${style.dim('→')} ${printable(code.url ?? '')}`;
  const styleEntries = Object.entries(styleConfig).filter(([, value]) => value !== null);
  const facts = details(
    [
      ['Title', printableOrNull(code.title)],
      ['Link', printableOrNull(code.linkId)],
      ['Status', statusPaint(style, code.status)(code.status)],
      ['Scans', lastScanAt ? `${scans}, last ${formatRelativeTime(lastScanAt)}` : scans],
      ['Tags', printableOrNull(code.tags.join(', '))],
      ['Expires', code.expiresAt && formatDateTime(code.expiresAt)],
      ['Logo', printableOrNull(code.logoRunRef)],
      ...styleEntries.map(([name, value]): [string, string] => [
        name,
        printable(typeof value === 'string' ? value : JSON.stringify(value)),
      ]),
      ['Created', formatDateTime(code.createdAt)],
      ['Id', code.id],
    ],
    style,
  );
  return `${head}\n\n${facts}`;
}
