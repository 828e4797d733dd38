import { Link } from '@tanstack/react-router';
import { Plus, QrCode as QrIcon, SearchX } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { useCan } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { buttonClass } from '../../ui/button.js';
import { Choice } from '../../ui/choice.js';
import { More } from '../../ui/more.js';
import { Page, Toolbar } from '../../ui/page.js';
import { SearchField } from '../../ui/search-field.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import { useTags } from '../tags/tags.js';
import { qrMessages } from './messages.js';
import { useQrCodes } from './qr-codes.js';
import { QrGrid } from './qr-grid.js';
import { listRoute, statuses, type QrSearch } from './routes.js';

/** The page where users search, filter and open the workspace's QR codes. */
export function QrListPage() {
  const t = useMessages(qrMessages);
  const canEdit = useCan('member');
  const filters = listRoute.useSearch();
  const query = useQrCodes(filters);
  const isFiltered = Object.keys(filters).length > 0;
  const isFirstRun = query.data?.length === 0 && !isFiltered && !query.isPlaceholderData;
  const create = canEdit && (
    <Link to="/qr-codes/new" className={buttonClass('primary')}>
      <Plus aria-hidden />
      {t.create}
    </Link>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={!isFirstRun && create}>
      {!isFirstRun && <Filters filters={filters} />}
      <Loaded query={query}>
        {(codes) => (codes.length > 0 ? <QrGrid codes={codes} /> : <NoCodes isFiltered={isFiltered} create={create} />)}
      </Loaded>
      <More query={query} />
    </Page>
  );
}

function Filters({ filters }: { filters: QrSearch }) {
  const t = useMessages(qrMessages);
  const navigate = listRoute.useNavigate();
  const { data: tags = [] } = useTags();
  const { q, tag, status } = filters;
  const search = useCallback(
    (text: string) =>
      void navigate({ search: ({ q: _, ...rest }) => ({ ...rest, ...(text && { q: text }) }), replace: true }),
    [navigate],
  );
  const chooseTag = (name: string): void =>
    void navigate({ search: ({ tag: _, ...rest }) => ({ ...rest, ...(name && { tag: name }) }) });
  const chooseStatus = (text: string): void => {
    const chosen = statuses.find((each) => each === text);
    void navigate({ search: ({ status: _, ...rest }) => ({ ...rest, ...(chosen && { status: chosen }) }) });
  };
  return (
    <Toolbar>
      <SearchField label={t.search} value={q ?? ''} onSearch={search} />
      <Choice
        label={t.tag}
        value={tag ?? ''}
        options={[['', t.allTags], ...tags.map(({ name }) => [name, name] as const)]}
        onChange={chooseTag}
      />
      <Choice
        label={t.status}
        value={status ?? ''}
        options={[['', t.allStatuses], ...statuses.map((each) => [each, t.statuses[each]] as const)]}
        onChange={chooseStatus}
      />
    </Toolbar>
  );
}

function NoCodes({ isFiltered, create }: { isFiltered: boolean; create: ReactNode }) {
  const t = useMessages(qrMessages);
  if (isFiltered) return <EmptyState icon={SearchX} title={t.noneTitle} text={t.noneText} />;
  if (!create) return <EmptyState icon={QrIcon} title={t.emptyViewer} text={t.emptyViewerText} />;
  return (
    <EmptyState icon={QrIcon} title={t.emptyTitle} text={t.emptyText}>
      {create}
    </EmptyState>
  );
}
