import type { DnsRecord, Domain } from '../api/records.js';
import type { Style } from './style.js';
import { table } from './table.js';

const colors = { verified: 'green', failed: 'red', pending: 'yellow' } as const;

/** Returns the color function for a status. Unknown statuses have no color. */
export const statusPaint = (style: Style, status: Domain['status']) =>
  status in colors ? style[colors[status]] : (text: string) => text;

/** Returns a table of the required DNS records of a domain, each marked with the result of the last check. */
export function dnsTable({ dnsRecords, lastCheckedAt }: Domain, style: Style, width?: number): string {
  const mark = {
    title: '',
    value: ({ ok }: DnsRecord) => (ok ? '✓' : '✗'),
    paint: (cell: string, { ok }: DnsRecord) => (ok ? style.green(cell) : style.red(cell)),
  };
  return table<DnsRecord>(
    dnsRecords,
    [
      ...(lastCheckedAt ? [mark] : []),
      { title: 'TYPE', value: ({ type }) => type },
      { title: 'NAME', value: ({ name }) => name, paint: style.cyan },
      { title: 'VALUE', value: ({ value }) => value },
      ...(lastCheckedAt
        ? [{ title: 'FOUND', value: ({ found }: DnsRecord) => found.join(', '), minWidth: 8, omitPriority: 1 }]
        : []),
    ],
    style,
    width,
  );
}
