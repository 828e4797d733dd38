import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/page.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import { DomainCard, type DomainDialog } from './domain-card.js';
import { AddDomainDialog, DeleteDomainDialog, DomainPagesDialog } from './domain-dialogs.js';
import { useDomains } from './domains.js';
import { domainMessages } from './messages.js';

/** The workspace's custom domains with the DNS records that each needs. */
export function DomainsPage() {
  const t = useMessages(domainMessages);
  const canManage = useCan('admin');
  const query = useDomains();
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<DomainDialog>();
  const close = (): void => setOpen(undefined);
  const add = canManage && (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      {t.add}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={query.data?.length !== 0 && add}>
      <Loaded query={query}>
        {(domains) =>
          domains.length > 0 ? (
            domains.map((domain) => (
              <DomainCard key={domain.id} domain={domain} onOpen={canManage ? setOpen : undefined} />
            ))
          ) : (
            <EmptyState icon={Globe} title={t.emptyTitle} text={t.emptyText}>
              {add}
            </EmptyState>
          )
        }
      </Loaded>
      {adding && <AddDomainDialog onClose={() => setAdding(false)} />}
      {open?.kind === 'pages' && <DomainPagesDialog domain={open.domain} onClose={close} />}
      {open?.kind === 'delete' && <DeleteDomainDialog domain={open.domain} onClose={close} />}
    </Page>
  );
}
