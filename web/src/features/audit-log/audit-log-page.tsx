import { ScrollText, SearchX } from 'lucide-react';
import { useCan } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Form, FormActions, TextField } from '../../ui/form.js';
import { More } from '../../ui/more.js';
import { Page } from '../../ui/page.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import styles from './audit-log.module.css';
import { useAuditLog } from './audit-log.js';
import { Entries } from './entries.js';
import { auditLogMessages } from './messages.js';
import { auditLog, filtersIn, type AuditSearch } from './routes.js';

/** Lists all changes in the workspace, for owners and admins. */
export function AuditLogPage() {
  const t = useMessages(auditLogMessages);
  const filters = auditLog.route.useSearch();
  const navigate = auditLog.route.useNavigate();
  const canAudit = useCan('admin');
  const query = useAuditLog(filters);
  const isFiltered = Object.keys(filters).length > 0;
  const apply = (search: AuditSearch): void => void navigate({ search, replace: true });
  return (
    <Page title={t.title} lead={t.lead}>
      {canAudit && <Filters key={JSON.stringify(filters)} filters={filters} error={query.error} onApply={apply} />}
      <Loaded query={query}>
        {(entries) =>
          entries.length > 0 ? (
            <Entries entries={entries} onTarget={(target) => apply({ target })} />
          ) : (
            <EmptyState
              icon={isFiltered ? SearchX : ScrollText}
              title={isFiltered ? t.noneTitle : t.emptyTitle}
              text={isFiltered ? t.noneText : t.emptyText}
            />
          )
        }
      </Loaded>
      <More query={query} />
    </Page>
  );
}

interface FiltersProps {
  filters: AuditSearch;
  error: unknown;
  onApply: (filters: AuditSearch) => void;
}

function Filters({ filters, error, onApply }: FiltersProps) {
  const t = useMessages(auditLogMessages);
  return (
    <div className={styles['filters']}>
      <Form
        error={error}
        fields={['action', 'actor', 'target', 'from', 'to']}
        onSubmit={(values) => onApply(filtersIn(Object.fromEntries(values)))}
      >
        <div className={styles['fields']}>
          <TextField name="action" label={t.action} defaultValue={filters.action} placeholder="link." />
          <TextField name="actor" label={t.actor} defaultValue={filters.actor} placeholder="usr_…" />
          <TextField name="target" label={t.target} defaultValue={filters.target} placeholder="lnk_…" />
          <TextField name="from" type="date" label={t.from} defaultValue={filters.from} />
          <TextField name="to" type="date" label={t.to} defaultValue={filters.to} />
        </div>
        <FormActions>
          <Button onClick={() => onApply({})}>{t.clear}</Button>
          <Button variant="primary" type="submit">
            {t.apply}
          </Button>
        </FormActions>
      </Form>
    </div>
  );
}
