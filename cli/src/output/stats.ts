import type { Granularity } from '../api/records.js';
import type { Terminal } from './terminal.js';
import { barTable, sparkline } from './chart.js';
import { count, printable } from './text.js';
import { dateOf, intervalAt } from './times.js';

/** Maximum number of entries in a list. */
const MAX_ENTRIES = 5;
const SPARKLINE_COLUMNS = 80;

/** Statistics of a link, a QR code or a workspace, as the terminal shows them. */
export interface ShownStats {
  from: string;
  to: string;
  tz: string;
  /** Length of the intervals of the series. */
  granularity: Granularity;
  /** Totals by singular noun, in display order. */
  totals: [name: string, value: number][];
  /** Clicks or scans, oldest first. */
  series: { time: string; count: number }[];
  /** Lists by title. Empty lists are omitted. */
  lists: [title: string, entries: { key: string; count: number }[]][];
}

/** Returns totals, a sparkline of the series and a table with bars for each list. */
export function statsText(stats: ShownStats, { style, width }: Terminal): string {
  const { from, to, tz, totals, lists } = stats;
  const totalsLine = totals
    .map(([name, value]) => `${style.bold(count(value))} ${name}${value === 1 ? '' : 's'}`)
    .join(' · ');
  const range = style.dim(`${dateOf(from, tz)} – ${dateOf(to, tz)} (${printable(tz)})`);
  const tables = lists
    .filter(([, entries]) => entries.length > 0)
    .map(([title, entries]) => barTable(title.toUpperCase(), entries.slice(0, MAX_ENTRIES), style, width));
  return [`${totalsLine}\n${range}`, ...peakLines(stats, style, width), ...tables].join('\n\n');
}

function peakLines({ series, granularity, tz }: ShownStats, style: Terminal['style'], width = SPARKLINE_COLUMNS) {
  const peak = series.reduce((best, point) => (point.count > best.count ? point : best), { time: '', count: 0 });
  if (peak.count === 0) return [];
  const line = sparkline(
    series.map((point) => point.count),
    Math.min(width, SPARKLINE_COLUMNS),
  );
  const interval = intervalAt(peak.time, granularity, tz);
  return [`${style.cyan(line)}\n${style.dim(`peak: ${count(peak.count)} ${interval}`)}`];
}
