import { scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';
import { useState, type PointerEvent } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { useShareFormats, useTimeFormats } from './format.js';
import { statisticsMessages } from './messages.js';
import styles from './statistics.module.css';
import type { SeriesProps } from './time-series-card.js';
import { useWidth } from './use-width.js';

const HEIGHT = 260;
const MARGIN = { left: 44, right: 12, top: 12, bottom: 28 };
const TICK_WIDTH = 90;

/** Returns the scales that position points in a chart of the given width. */
function scales(width: number, { points, before }: Pick<SeriesProps, 'points' | 'before'>) {
  const highest = Math.max(4, ...points.map(({ clicks }) => clicks), ...before.map(({ clicks }) => clicks));
  const x = scaleLinear(
    [0, Math.max(1, points.length - 1)],
    [MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)],
  );
  const y = scaleLinear([0, highest], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  return { x, y };
}

/** Returns the indexes of the points to label on the axis, far enough apart that labels do not overlap. */
function labeledIndexes(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor((width - MARGIN.left) / TICK_WIDTH))));
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step);
}

/**
 * A chart of clicks and visitors over time, with the previous period as a dashed line. The slider below the chart makes
 * the values accessible by keyboard.
 */
export function TimeSeries({ points, before, range, unit }: SeriesProps) {
  const t = useMessages(statisticsMessages);
  const [frame, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const { full } = useTimeFormats(range.granularity, range.tz);
  const past = before.slice(0, points.length);
  const { x, y } = scales(width, { points, before: past });
  const last = points.length - 1;
  const index = chosen === undefined ? undefined : Math.min(chosen, last);
  const point = index === undefined ? undefined : points[index];
  const choose = (event: PointerEvent): void => {
    const left = event.currentTarget.getBoundingClientRect().left;
    setChosen(Math.round(Math.min(last, Math.max(0, x.invert(event.clientX - left)))));
  };
  const current = points[index ?? last];
  return (
    <div ref={frame} className={styles['chart']} onPointerMove={choose} onPointerLeave={() => setChosen(undefined)}>
      <svg width="100%" height={HEIGHT} aria-hidden>
        <Axes x={x} y={y} width={width} series={{ points, before, range, unit }} />
        <Lines x={x} y={y} points={points} past={past} />
        {index !== undefined && point && (
          <>
            <line
              className={styles['cursor']}
              x1={x(index)}
              x2={x(index)}
              y1={MARGIN.top}
              y2={HEIGHT - MARGIN.bottom}
            />
            <circle className={styles['dot']} cx={x(index)} cy={y(point.clicks)} r={4} />
          </>
        )}
      </svg>
      {point && index !== undefined && (
        <div className={styles['tip']} data-side={x(index) > width / 2 ? 'left' : 'right'} style={{ left: x(index) }}>
          <strong>{full(point.time)}</strong>
          <span>{t.counts[unit](point.clicks)}</span>
          <span>{t.counts.uniques(point.uniques)}</span>
          {past[index] && <span className={styles['past']}>{t.counts.before(past[index].clicks)}</span>}
        </div>
      )}
      <Legend unit={unit} hasPast={past.length > 0} />
      <input
        type="range"
        className={styles['pointSlider']}
        aria-label={t.chart}
        aria-valuetext={
          current && t.value(full(current.time), t.counts[unit](current.clicks), t.counts.uniques(current.uniques))
        }
        title={t.chartHint}
        min={0}
        max={Math.max(0, last)}
        value={index ?? last}
        onChange={({ target }) => setChosen(target.valueAsNumber)}
        onFocus={() => setChosen(index ?? last)}
        onBlur={() => setChosen(undefined)}
      />
    </div>
  );
}

type Scales = ReturnType<typeof scales>;

function Lines({ x, y, points, past }: Scales & { points: SeriesProps['points']; past: SeriesProps['before'] }) {
  const draw = (value: (point: SeriesProps['points'][number]) => number) =>
    line<SeriesProps['points'][number]>(
      (_, n) => x(n),
      (point) => y(value(point)),
    ).curve(curveMonotoneX);
  const shape = area<SeriesProps['points'][number]>(
    (_, n) => x(n),
    y(0),
    ({ clicks }) => y(clicks),
  ).curve(curveMonotoneX);
  return (
    <>
      <path className={styles['area']} d={shape([...points]) ?? ''} />
      <path className={styles['pastLine']} d={draw(({ clicks }) => clicks)([...past]) ?? ''} />
      <path className={styles['uniquesLine']} d={draw(({ uniques }) => uniques)([...points]) ?? ''} />
      <path className={styles['line']} d={draw(({ clicks }) => clicks)([...points]) ?? ''} />
      {points.length === 1 && <circle className={styles['dot']} cx={x(0)} cy={y(points[0]!.clicks)} r={4} />}
    </>
  );
}

function Axes({ x, y, width, series: { points, range } }: Scales & { width: number; series: SeriesProps }) {
  const { compact } = useShareFormats();
  const { tick } = useTimeFormats(range.granularity, range.tz);
  return (
    <>
      {y
        .ticks(4)
        .filter(Number.isInteger)
        .map((value) => (
          <g key={value} className={styles['tick']}>
            <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(value)} y2={y(value)} />
            <text x={MARGIN.left - 8} y={y(value)} dy="0.32em" textAnchor="end">
              {compact(value)}
            </text>
          </g>
        ))}
      {labeledIndexes(points.length, width).map((n) => (
        <text key={n} className={styles['label']} x={x(n)} y={HEIGHT - 6} textAnchor={n === 0 ? 'start' : 'middle'}>
          {tick(points[n]!.time)}
        </text>
      ))}
    </>
  );
}

function Legend({ unit, hasPast }: { unit: SeriesProps['unit']; hasPast: boolean }) {
  const t = useMessages(statisticsMessages);
  return (
    <ul className={styles['legend']}>
      <li data-line="clicks">{t.counted[unit]}</li>
      <li data-line="uniques">{t.uniques}</li>
      {hasPast && <li data-line="past">{t.before}</li>}
    </ul>
  );
}
