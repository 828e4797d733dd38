import { ErrorState } from '../../ui/states.js';
import { Breakdowns } from './breakdowns.js';
import { ExportMenu } from './export-menu.js';
import { LiveCounter } from './live-counter.js';
import { RangeBar } from './range-bar.js';
import { useFigures, useFiguresBefore, type Subject } from './statistics.js';
import styles from './statistics.module.css';
import { TimeSeriesCard } from './time-series-card.js';
import { Totals } from './totals.js';
import { useRange } from './use-range.js';

/** Statistics of a link, a QR code or the workspace, with a range that is stored in the page's URL. */
export function StatisticsPanel({ subject }: { subject: Subject }) {
  const { search, range, change } = useRange();
  const query = useFigures(subject, range);
  const { data: before } = useFiguresBefore(subject, range);
  const unit = subject.kind === 'qr' ? 'scans' : 'clicks';
  const { data: figures } = query;
  return (
    <div className={styles['panel']}>
      <div className={styles['bar']}>
        <RangeBar search={search} range={range} onChange={change} />
        <div className={styles['actions']}>
          <LiveCounter subject={subject} tz={range.tz} unit={unit} />
          <ExportMenu figures={query.isPlaceholderData ? undefined : figures} range={range} subject={subject} />
        </div>
      </div>
      {query.error && !figures ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={styles['cards']} aria-busy={query.isFetching}>
          <Totals subject={subject} figures={figures} before={before} unit={unit} />
          <TimeSeriesCard figures={figures} before={before} range={range} unit={unit} />
          <Breakdowns figures={figures} />
        </div>
      )}
    </div>
  );
}
