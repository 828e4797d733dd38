import { lazy, Suspense, useState } from 'react';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Skeletons } from '../../ui/states.js';
import { Table } from '../../ui/table.js';
import { Card } from './card.js';
import { useTimeFormats } from './format.js';
import { statisticsMessages } from './messages.js';
import type { Range } from './range.js';
import type { Figures, Point } from './statistics.js';
import styles from './statistics.module.css';

const TimeSeries = lazy(async () => ({ default: (await import('./time-series.js')).TimeSeries }));

export interface SeriesProps {
  points: readonly Point[];
  /** The points of the previous period, in the same order. */
  before: readonly Point[];
  range: Range;
  unit: 'clicks' | 'scans';
}

interface TimeSeriesCardProps extends Pick<SeriesProps, 'range' | 'unit'> {
  figures: Figures | undefined;
  before: Figures | undefined;
}

/** The figures over time, as a chart or as a table. */
export function TimeSeriesCard({ figures, before, range, unit }: TimeSeriesCardProps) {
  const t = useMessages(statisticsMessages);
  const [isTable, setTable] = useState(false);
  const tools = (
    <Button variant="quiet" onClick={() => setTable(!isTable)}>
      {isTable ? t.showChart : t.showTable}
    </Button>
  );
  return (
    <Card title={t.chart} tools={tools} data={figures} wide rows={5}>
      {({ timeSeries }) => {
        const series = { points: timeSeries, before: before?.timeSeries ?? [], range, unit };
        if (isTable) return <SeriesTable {...series} />;
        return (
          <Suspense fallback={<Skeletons />}>
            <TimeSeries {...series} />
          </Suspense>
        );
      }}
    </Card>
  );
}

function SeriesTable({ points, before, range, unit }: SeriesProps) {
  const t = useMessages(statisticsMessages);
  const { number } = useFormats();
  const { full } = useTimeFormats(range.granularity, range.tz);
  const rows = points.map((point, index) => ({ ...point, before: before[index]?.clicks }));
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={t.chart}>
      <Table
        label={t.chart}
        columns={[
          { header: t.time, cell: ({ time }) => full(time) },
          { header: t.counted[unit], cell: ({ clicks }) => number(clicks), kind: 'end' },
          { header: t.uniques, cell: ({ uniques }) => number(uniques), kind: 'end' },
          {
            header: t.before,
            cell: ({ before: clicks }) => (clicks === undefined ? '–' : number(clicks)),
            kind: 'end',
            onNarrow: 'hidden',
          },
        ]}
        rows={rows}
        keyOf={({ time }) => time}
      />
    </div>
  );
}
