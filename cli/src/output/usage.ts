import type { LimitUsage, Usage } from '../api/records.js';
import { limitLabel, limitText } from './plan.js';
import type { Style } from './style.js';
import { table } from './table.js';
import { count } from './text.js';
import { dateOf } from './times.js';

/** Usage of this percentage of a limit or more is marked as near the limit. */
const WARN_PERCENT = 80;
const BAR_CELLS = 10;

interface Row extends LimitUsage {
  name: string;
  /** Undefined if unlimited. */
  percent: number | undefined;
}

/** Returns the used percentage of a limit, rounded down, so that 100 means that the limit has been reached. */
const percentOf = ({ used, limit }: LimitUsage): number | undefined => {
  if (limit === null) return undefined;
  return limit === 0 ? 100 : Math.floor((used * 100) / limit);
};

const rowsOf = (usage: Usage): Row[] =>
  Object.entries(usage).flatMap(([name, value]) =>
    typeof value === 'object' ? [{ name, ...value, percent: percentOf(value) }] : [],
  );

const marks = {
  reached: { sign: '✗', color: 'red', meaning: 'limit reached' },
  near: { sign: '!', color: 'yellow', meaning: `${WARN_PERCENT}% or more used` },
} as const;

function markOf({ percent = 0 }: Row) {
  if (percent >= 100) return marks.reached;
  return percent >= WARN_PERCENT ? marks.near : undefined;
}

function bar(percent: number | undefined): string {
  if (percent === undefined) return '';
  const filled = Math.min(BAR_CELLS, Math.floor((percent * BAR_CELLS) / 100));
  return '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
}

/** Returns a table of the limits with their usage. In a narrow terminal, the bars are omitted. */
export function usageTable(usage: Usage, style: Style, width?: number): string {
  const paint = (cell: string, row: Row) => {
    const mark = markOf(row);
    return mark ? style[mark.color](cell) : cell;
  };
  return table<Row>(
    rowsOf(usage),
    [
      { title: '', value: (row) => markOf(row)?.sign ?? ' ', paint },
      { title: 'LIMIT', value: ({ name }) => limitLabel(name) },
      { title: 'USED', value: ({ used }) => count(used), align: 'right' },
      { title: 'ALLOWED', value: ({ limit }) => limitText(limit), align: 'right' },
      { title: '', value: ({ percent }) => bar(percent), paint, omitPriority: 1 },
      { title: '', value: ({ percent }) => (percent === undefined ? '' : `${count(percent)}%`), paint, align: 'right' },
    ],
    style,
    width,
  );
}

/** Returns the legend of the marks in the table, or an empty string if there are none. */
export function usageLegend(usage: Usage, style: Style): string {
  const shown = new Set(rowsOf(usage).map(markOf));
  return Object.values(marks)
    .filter((mark) => shown.has(mark))
    .map(({ sign, color, meaning }) => `${style[color](sign)} ${meaning}`)
    .join('   ');
}

/** Returns the day on which monthly limits reset: the first of the month after `period` (`YYYY-MM`, UTC). */
export function nextReset(period: string): string {
  const [year, month] = period.split('-').map(Number) as [number, number];
  return dateOf(new Date(Date.UTC(year, month, 1)).toISOString(), 'UTC');
}
