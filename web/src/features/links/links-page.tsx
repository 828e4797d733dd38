import { Link2, Plus, SearchX } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { useCan } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { More } from '../../ui/more.js';
import { Page } from '../../ui/page.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import { TransferMenu } from '../import-export/transfer-menu.js';
import { BulkBar } from './bulk-bar.js';
import { Filters } from './filters.js';
import { LinkDialogs, type LinkDialogState } from './link-dialogs.js';
import { isFiltered, linkSearch } from './link-search.js';
import { LinkTable } from './link-table.js';
import { useLinks } from './links.js';
import { linkMessages } from './messages.js';
import { listRoute } from './routes.js';
import { useSelection } from './selection.js';

/** The page where users search, select, change and create the workspace's links. */
export function LinksPage() {
  const t = useMessages(linkMessages);
  const canEdit = useCan('member');
  const search = listRoute.useSearch();
  const navigate = listRoute.useNavigate();
  const query = useLinks(search);
  const selection = useSelection(query.data ?? []);
  const [open, setOpen] = useState<LinkDialogState>();
  const change = useCallback(
    (part: Record<string, unknown>) =>
      void navigate({ search: (current) => linkSearch({ ...current, ...part }), replace: true }),
    [navigate],
  );
  const onText = useCallback((q: string) => change({ q }), [change]);
  const isFirstRun = query.data?.length === 0 && !isFiltered(search) && !query.isPlaceholderData;
  const create = canEdit && (
    <Button variant="primary" onClick={() => setOpen({ kind: 'create' })}>
      <Plus aria-hidden />
      {t.create}
    </Button>
  );
  const actions = (
    <>
      <TransferMenu />
      {!isFirstRun && create}
    </>
  );
  const none = isFirstRun ? <FirstRun create={create} /> : <NoMatch onClear={() => void navigate({ search: {} })} />;
  return (
    <Page title={t.title} lead={t.lead} actions={actions}>
      {!isFirstRun && <Filters search={search} onChange={change} onText={onText} />}
      {selection.links.length > 0 && <BulkBar selection={selection} onOpen={setOpen} />}
      <Loaded query={query}>
        {(found) =>
          found.length > 0 ? (
            <LinkTable links={found} selection={canEdit ? selection : undefined} onOpen={setOpen} />
          ) : (
            none
          )
        }
      </Loaded>
      <More query={query} />
      <LinkDialogs open={open} onClose={() => setOpen(undefined)} onOpen={setOpen} />
    </Page>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  const t = useMessages(linkMessages);
  return (
    <EmptyState icon={SearchX} title={t.noneTitle} text={t.noneText}>
      <Button onClick={onClear}>{t.clearFilters}</Button>
    </EmptyState>
  );
}

function FirstRun({ create }: { create: ReactNode }) {
  const t = useMessages(linkMessages);
  if (!create) return <EmptyState icon={Link2} title={t.emptyViewer} text={t.emptyViewerText} />;
  return (
    <EmptyState icon={Link2} title={t.emptyTitle} text={t.emptyText}>
      {create}
    </EmptyState>
  );
}
