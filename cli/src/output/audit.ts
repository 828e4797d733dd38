import type { AuditEntry } from '../api/records.js';
import type { Style } from './style.js';
import { table } from './table.js';
import { formatRelativeTime } from './times.js';

/**
 * Returns a table of audit log entries. If `titled` is false, the table has absolute times and no titles, as needed for
 * printing entries one by one.
 */
export function auditTable(entries: AuditEntry[], style: Style, width?: number, titled = true): string {
  return table<AuditEntry>(
    entries,
    [
      {
        title: 'WHEN',
        value: ({ createdAt }) => (titled ? formatRelativeTime(createdAt) : createdAt),
        paint: style.dim,
      },
      { title: 'WHAT', value: ({ summary }) => summary, minWidth: 36 },
      {
        title: 'CHANGED',
        value: ({ changes }) => Object.keys(changes).join(', '),
        minWidth: 10,
        omitPriority: 2,
      },
      { title: 'FROM', value: ({ ip }) => ip ?? '', paint: style.dim, omitPriority: 3 },
      { title: 'TARGET', value: ({ target }) => target.id, paint: style.dim, omitPriority: 4 },
    ],
    style,
    width,
    titled,
  );
}
