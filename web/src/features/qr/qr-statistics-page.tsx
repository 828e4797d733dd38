import { useMemo } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { BackLink } from '../../ui/back-link.js';
import { Page } from '../../ui/page.js';
import { Loaded } from '../../ui/states.js';
import { StatisticsPanel } from '../statistics/statistics-panel.js';
import { qrMessages } from './messages.js';
import { useQrCode } from './qr-codes.js';
import { qrStatisticsRoute } from './routes.js';

/** The page with the scan statistics of a QR code. */
export function QrStatisticsPage() {
  const t = useMessages(qrMessages);
  const { id } = qrStatisticsRoute.useParams();
  const query = useQrCode(id);
  const subject = useMemo(() => ({ kind: 'qr', id }) as const, [id]);
  return (
    <Page title={t.statisticsOf(query.data?.title ?? query.data?.slug ?? t.title)}>
      <BackLink to="/qr-codes">{t.back}</BackLink>
      <Loaded query={query}>{() => <StatisticsPanel subject={subject} />}</Loaded>
    </Page>
  );
}
