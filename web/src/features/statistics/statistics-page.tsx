import { useMessages } from '../../i18n/messages.js';
import { Page } from '../../ui/page.js';
import { statisticsMessages } from './messages.js';
import { StatisticsPanel } from './statistics-panel.js';

const WORKSPACE = { kind: 'workspace' } as const;

/** The statistics of all links and QR codes of the workspace. */
export function StatisticsPage() {
  const t = useMessages(statisticsMessages);
  return (
    <Page title={t.title} lead={t.lead}>
      <StatisticsPanel subject={WORKSPACE} />
    </Page>
  );
}
