import Table from 'cli-table3';
import { details } from './details.js';
import type { Style } from './style.js';
import { printable, truncated, widthOf } from './text.js';

/** One column of a table of `T`s. */
export interface Column<T> {
  title: string;
  value: (row: T) => string;
  /** Colors a cell after truncation. */
  paint?: (cell: string, row: T) => string;
  align?: 'right';
  /** Minimum width for truncation on narrow terminals. If absent, the column is never truncated. */
  minWidth?: number;
  /** On narrow terminals, columns are omitted by descending priority. If absent, the column is never omitted. */
  omitPriority?: number;
}

const GAP = 2;
const noBorders = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
    .map((name) => [name, '']),
);

/**
 * Returns rows below a line of titles (unless `titled` is false), at most `width` terminal columns wide (default:
 * unlimited). If they do not fit, returns each row as a block of titles and values.
 */
export function table<T>(rows: T[], columns: Column<T>[], style: Style, width?: number, titled = true): string {
  const cells = rows.map((row) => columns.map(({ value }) => printable(value(row))));
  const natural = columns.map(({ title }, at) =>
    Math.max(titled ? widthOf(title) : 0, ...cells.map((row) => widthOf(row[at]!))),
  );
  const widths = fitWidths(columns, natural, width ?? Infinity);
  if (rowWidth(widths) > (width ?? Infinity)) return blocks(rows, cells, columns, style);
  const shown = columns.map((column, at) => ({ column, at, width: widths[at]! })).filter((one) => one.width > 0);
  const grid = new Table({
    chars: { ...noBorders, middle: ' '.repeat(GAP) },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colAligns: shown.map(({ column }) => column.align ?? 'left'),
  });
  if (titled) grid.push(shown.map(({ column, width }) => style.dim(truncated(column.title, width))));
  rows.forEach((row, index) => {
    grid.push(
      shown.map(({ column, at, width }) => {
        const cell = truncated(cells[index]![at]!, width);
        return column.paint?.(cell, row) ?? cell;
      }),
    );
  });
  return grid.toString().replace(/ +$/gm, '');
}

/** Returns the total width of a row. */
function rowWidth(widths: number[]): number {
  const used = widths.filter((one) => one > 0);
  return used.reduce((sum, one) => sum + one, 0) + GAP * (used.length - 1);
}

/** Returns each row as a block with one value per line. Empty values are omitted. */
function blocks<T>(rows: T[], cells: string[][], columns: Column<T>[], style: Style): string {
  const block = (row: T, at: number) =>
    details(
      columns.map(({ title, paint }, i) => [title, paint?.(cells[at]![i]!, row) ?? cells[at]![i]!]),
      style,
    );
  return rows.map(block).join('\n\n');
}

/**
 * Returns column widths that fit `width` if possible. Shrinks the widest truncatable columns first. If that is not
 * enough, omits an optional column (width 0), restores the others and shrinks them again.
 */
function fitWidths<T>(columns: Column<T>[], natural: number[], width: number): number[] {
  const widths = [...natural];
  while (rowWidth(widths) > width) {
    const truncatable = columns.map(({ minWidth }, at) =>
      minWidth !== undefined && widths[at]! > minWidth ? widths[at]! : 0,
    );
    const widest = Math.max(...truncatable);
    if (widest > 0) {
      widths[truncatable.indexOf(widest)]!--;
      continue;
    }
    const priorities = columns.map((column, at) => (widths[at]! > 0 ? (column.omitPriority ?? 0) : 0));
    const highest = Math.max(...priorities);
    if (highest === 0) break;
    widths[priorities.indexOf(highest)] = 0;
    columns.forEach((column, at) => {
      if (column.minWidth !== undefined && widths[at]! > 0) widths[at] = natural[at]!;
    });
  }
  return widths;
}
