import type { Style } from './style.js';
import { table } from './table.js';
import { count } from './text.js';

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const BAR_CELLS = 20;

/**
 * Returns a sparkline with one block character per value. If there are more than `width` values, adjacent ones are
 * summed.
 */
export function sparkline(values: number[], width: number): string {
  const groupSize = Math.max(1, Math.ceil(values.length / Math.max(1, width)));
  const sums: number[] = [];
  for (let at = 0; at < values.length; at += groupSize)
    sums.push(values.slice(at, at + groupSize).reduce((sum, value) => sum + value, 0));
  const max = Math.max(...sums, 1);
  return sums.map((sum) => levels[sum === 0 ? 0 : Math.max(1, Math.ceil((sum / max) * levels.length) - 1)]).join('');
}

/** Returns a table of names and counts with a bar for each. Bars are omitted in narrow terminals. */
export function barTable(
  title: string,
  entries: { key: string; count: number }[],
  style: Style,
  width?: number,
): string {
  const max = Math.max(...entries.map((one) => one.count), 1);
  return table<{ key: string; count: number }>(
    entries,
    [
      { title, value: ({ key }) => key, minWidth: 8 },
      { title: '', value: (one) => count(one.count), align: 'right' },
      {
        title: '',
        value: (one) => '█'.repeat(Math.ceil((one.count / max) * BAR_CELLS)),
        paint: style.cyan,
        omitPriority: 1,
      },
    ],
    style,
    width,
  );
}
