import { useMessages } from '../../i18n/messages.js';
import { Choice } from '../../ui/choice.js';
import { DateField } from '../../ui/date-field.js';
import { useMembers } from '../members/members.js';
import type { LinkSearch } from './link-search.js';
import styles from './links-page.module.css';
import { linkMessages } from './messages.js';
import { useVerifiedDomains } from './slug-check.js';

interface MoreFiltersProps {
  id: string;
  search: LinkSearch;
  /** Called with the changed parameters. The value undefined removes a parameter. */
  onChange: (change: { [K in keyof LinkSearch]: LinkSearch[K] | undefined }) => void;
}

/** Less common filters: domain, creator and dates of creation. */
export function MoreFilters({ id, search, onChange }: MoreFiltersProps) {
  const t = useMessages(linkMessages);
  const domains = useVerifiedDomains();
  const { data: members = [] } = useMembers();
  const creators = members.flatMap(({ userId, name, email }) => (userId ? [[userId, name || email] as const] : []));
  const { domain = '', by = '', from = '', to = '' } = search;
  return (
    <div id={id} className={styles['more']} role="group" aria-label={t.moreFilters}>
      <Choice
        label={t.domain}
        value={domain}
        options={[['', t.anyDomain], ['default', t.defaultDomain], ...domains.map((name) => [name, name] as const)]}
        onChange={(value) => onChange({ domain: value || undefined })}
      />
      <Choice
        label={t.createdBy}
        value={by}
        options={[['', t.anyCreator], ...creators]}
        onChange={(value) => onChange({ by: value || undefined })}
      />
      <DateField
        label={t.createdFrom}
        className={styles['date']}
        value={from}
        max={to}
        onChange={(date) => onChange({ from: date || undefined, ...(to && date > to && { to: undefined }) })}
      />
      <DateField
        label={t.createdTo}
        className={styles['date']}
        value={to}
        min={from}
        onChange={(date) => onChange({ to: date || undefined, ...(date && date < from && { from: undefined }) })}
      />
    </div>
  );
}
