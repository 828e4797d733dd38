import Table from 'cli-table3';
import { details } from './details.js';
import type { Style } from './style.js';
import { printable, truncated, widthOf } from './text.js';

/** One column of a table of `T`s. */
export interface Column<T> {
  title: string;
  value: (row: T) => string;
  /** Paints a cell that is already cut to its width. */
  paint?: (cell: string, row: T) => string;
  align?: 'right';
  /** May be cut down to so many columns where the terminal is narrow; absent: shown whole. */
  least?: number;
  /** Left out where the terminal is too narrow even so, highest first; absent: never. */
  spare?: number;
}

const GAP = 2;
const none = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
    .map((name) => [name, '']),
);

/**
 * Writes rows below a line of titles, at most `width` columns wide; undefined: as wide as they are. Where they do not fit, each row is
 * a block of titles and values.
 */
export function table<T>(rows: T[], columns: Column<T>[], style: Style, width?: number): string {
  const cells = rows.map((row) => columns.map(({ value }) => printable(value(row))));
  const natural = columns.map(({ title }, at) => Math.max(widthOf(title), ...cells.map((row) => widthOf(row[at]!))));
  const widths = fitted(columns, natural, width ?? Infinity);
  if (total(widths) > (width ?? Infinity)) return blocks(rows, cells, columns, style);
  const shown = columns.map((column, at) => ({ column, at, width: widths[at]! })).filter((one) => one.width > 0);
  const grid = new Table({
    chars: { ...none, middle: ' '.repeat(GAP) },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colAligns: shown.map(({ column }) => column.align ?? 'left'),
  });
  grid.push(shown.map(({ column, width }) => style.dim(truncated(column.title, width))));
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

/** Columns that cells of these widths take together. */
function total(widths: number[]): number {
  const used = widths.filter((one) => one > 0);
  return used.reduce((sum, one) => sum + one, 0) + GAP * (used.length - 1);
}

/** Each row with its values below each other, what has none left out. */
function blocks<T>(rows: T[], cells: string[][], columns: Column<T>[], style: Style): string {
  const block = (row: T, at: number) =>
    details(
      columns.map(({ title, paint }, i) => [title, paint?.(cells[at]![i]!, row) ?? cells[at]![i]!]),
      style,
    );
  return rows.map(block).join('\n\n');
}

/** Widths that fit where any do: the widest of the columns that may be cut lose first, then spare columns go (width 0). */
function fitted<T>(columns: Column<T>[], natural: number[], width: number): number[] {
  const widths = [...natural];
  while (total(widths) > width) {
    const cuttable = columns.map(({ least }, at) => (least !== undefined && widths[at]! > least ? widths[at]! : 0));
    const widest = Math.max(...cuttable);
    if (widest > 0) {
      widths[cuttable.indexOf(widest)]!--;
      continue;
    }
    const spare = columns.map((column, at) => (widths[at]! > 0 ? (column.spare ?? 0) : 0));
    const first = Math.max(...spare);
    if (first === 0) break;
    widths[spare.indexOf(first)] = 0;
    columns.forEach((column, at) => {
      if (column.least !== undefined && widths[at]! > 0) widths[at] = natural[at]!;
    });
  }
  return widths;
}
