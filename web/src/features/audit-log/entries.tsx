import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import styles from './audit-log.module.css';
import type { AuditEntry } from './audit-log.js';
import { auditLogMessages } from './messages.js';

interface EntriesProps {
  entries: readonly AuditEntry[];
  /** Called with the id of a target to filter by. If omitted, targets are plain text. */
  onTarget?: ((id: string) => void) | undefined;
}

/** Entries of the audit log. Each can be expanded to show its details and changes. */
export const Entries = ({ entries, onTarget }: EntriesProps) => (
  <ol className={styles['list']}>
    {entries.map((entry) => (
      <Entry key={entry.id} entry={entry} onTarget={onTarget} />
    ))}
  </ol>
);

function Entry({ entry, onTarget }: { entry: AuditEntry; onTarget: EntriesProps['onTarget'] }) {
  const t = useMessages(auditLogMessages);
  const { dateTime } = useFormats();
  const { actor, target, action, summary, createdAt, ip, requestId } = entry;
  return (
    <li className={styles['entry']}>
      <details>
        <summary>
          <span className={styles['summary']}>{summary}</span>
          <code>{action}</code>
          <time dateTime={createdAt}>{dateTime(createdAt)}</time>
        </summary>
        <dl className={styles['facts']}>
          <dt>{t.actor}</dt>
          <dd>
            {actor.name} {actor.id && <code>{actor.id}</code>}
          </dd>
          <dt>{t.target}</dt>
          <dd>
            {target.label}{' '}
            {onTarget ? (
              <button type="button" className={styles['target']} onClick={() => onTarget(target.id)}>
                {target.id}
              </button>
            ) : (
              <code>{target.id}</code>
            )}
          </dd>
          {ip && (
            <>
              <dt>{t.ip}</dt>
              <dd>{ip}</dd>
            </>
          )}
          {requestId && (
            <>
              <dt>{t.request}</dt>
              <dd>
                <code>{requestId}</code>
              </dd>
            </>
          )}
        </dl>
        <Changes entry={entry} />
      </details>
    </li>
  );
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

function Changes({ entry: { changes } }: { entry: AuditEntry }) {
  const t = useMessages(auditLogMessages);
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <table className={styles['changes']} aria-label={t.changes}>
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(([field, { before, after }]) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>
              <del>{shown(before)}</del>
            </td>
            <td>
              <ins>{shown(after)}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
