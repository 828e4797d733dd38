import { Send } from 'lucide-react';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { Choice } from '../../ui/choice.js';
import { More } from '../../ui/more.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { webhookMessages } from './messages.js';
import { statuses, type WebhookSearch } from './routes.js';
import { useDeliveries, type DeliverySummary, type Endpoint } from './webhooks.js';
import styles from './webhooks.module.css';

export const deliveryTones: Record<DeliverySummary['status'], Tone> = {
  pending: 'warning',
  succeeded: 'success',
  failed: 'danger',
};

interface DeliveriesProps {
  endpoints: readonly Endpoint[];
  search: WebhookSearch;
  onSearch: (search: WebhookSearch) => void;
}

/** Deliveries to the endpoints, newest first, filtered by endpoint and status. */
export function Deliveries({ endpoints, search, onSearch }: DeliveriesProps) {
  const t = useMessages(webhookMessages);
  const { dateTime } = useFormats();
  const query = useDeliveries(search);
  const columns: Column<DeliverySummary>[] = [
    { header: t.event, cell: ({ type }) => <code className={styles['event']}>{type}</code> },
    {
      header: t.status,
      cell: ({ status }) => <Badge tone={deliveryTones[status]}>{t.statuses[status]}</Badge>,
      onNarrow: 'below',
    },
    { header: t.attempts, cell: ({ attempts }) => attempts, kind: 'end', onNarrow: 'hidden' },
    { header: t.createdAt, cell: ({ createdAt }) => dateTime(createdAt), kind: 'end', onNarrow: 'below' },
    {
      header: t.actions,
      kind: 'actions',
      cell: ({ id, type }) => (
        <Button aria-label={t.detailsOf(type)} onClick={() => onSearch({ ...search, delivery: id })}>
          {t.details}
        </Button>
      ),
    },
  ];
  return (
    <Card title={t.deliveries} actions={<Filters endpoints={endpoints} search={search} onSearch={onSearch} />}>
      <Loaded query={query}>
        {(deliveries) =>
          deliveries.length > 0 ? (
            <Table label={t.deliveries} columns={columns} rows={deliveries} keyOf={({ id }) => id} />
          ) : (
            <EmptyState icon={Send} title={t.noDeliveries} text={t.noDeliveriesText} />
          )
        }
      </Loaded>
      <More query={query} />
    </Card>
  );
}

function Filters({ endpoints, search, onSearch }: DeliveriesProps) {
  const t = useMessages(webhookMessages);
  const { endpoint: _, ...withoutEndpoint } = search;
  const { status: __, ...withoutStatus } = search;
  return (
    <>
      <Choice
        label={t.endpoint}
        value={search.endpoint ?? ''}
        options={[['', t.allEndpoints], ...endpoints.map(({ id, url }) => [id, url] as const)]}
        onChange={(id) => onSearch(id ? { ...search, endpoint: id } : withoutEndpoint)}
      />
      <Choice
        label={t.status}
        value={search.status ?? ''}
        options={[['', t.allStatuses], ...statuses.map((each) => [each, t.statuses[each]] as const)]}
        onChange={(value) => {
          const status = statuses.find((each) => each === value);
          onSearch(status ? { ...search, status } : withoutStatus);
        }}
      />
    </>
  );
}
