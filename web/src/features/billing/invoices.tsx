import { ReceiptText } from 'lucide-react';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { More } from '../../ui/more.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { useInvoices, type Invoice } from './billing.js';
import { billingMessages } from './messages.js';

const tones: Record<Invoice['status'], Tone> = {
  paid: 'success',
  pending: 'warning',
  failed: 'danger',
  refunded: 'neutral',
};

/** The list of invoices, newest first. */
export function Invoices() {
  const t = useMessages(billingMessages);
  const { date, money } = useFormats();
  const query = useInvoices();
  const columns: Column<Invoice>[] = [
    { header: t.date, cell: (invoice) => date(invoice.date) },
    { header: t.description, cell: ({ description }) => description, onNarrow: 'hidden' },
    { header: t.amount, cell: ({ amount, currency }) => money(amount, currency), kind: 'end' },
    { header: t.status, cell: ({ status }) => <Badge tone={tones[status]}>{t.invoiceStatuses[status]}</Badge> },
    {
      header: t.invoice,
      cell: ({ invoiceUrl }) =>
        invoiceUrl && (
          <a href={invoiceUrl} target="_blank" rel="noreferrer">
            {t.open}
          </a>
        ),
    },
  ];
  return (
    <Card title={t.invoices}>
      <Loaded query={query}>
        {(invoices) =>
          invoices.length > 0 ? (
            <Table label={t.invoices} columns={columns} rows={invoices} keyOf={({ id }) => id} />
          ) : (
            <EmptyState icon={ReceiptText} title={t.noInvoices} text={t.noInvoicesText} />
          )
        }
      </Loaded>
      <More query={query} />
    </Card>
  );
}
