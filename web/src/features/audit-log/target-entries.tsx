import { Link } from '@tanstack/react-router';
import { useMessages } from '../../i18n/messages.js';
import { buttonClass } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { Loaded } from '../../ui/states.js';
import { useTargetEntries } from './audit-log.js';
import { Entries } from './entries.js';
import { auditLogMessages } from './messages.js';

/** The latest audit log entries of a resource, for owners and admins, with a link to all of them. */
export function TargetEntries({ target }: { target: string }) {
  const t = useMessages(auditLogMessages);
  const query = useTargetEntries(target);
  const all = (
    <Link to="/audit-log" search={{ target }} className={buttonClass()}>
      {t.showAll}
    </Link>
  );
  return (
    <Card title={t.history} actions={query.data?.length ? all : undefined}>
      <Loaded query={query}>
        {(entries) => (entries.length > 0 ? <Entries entries={entries} /> : <p>{t.emptyHistory}</p>)}
      </Loaded>
    </Card>
  );
}
