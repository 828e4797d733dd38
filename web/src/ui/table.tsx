import type { ReactNode } from 'react';
import styles from './table.module.css';
import { VisuallyHidden } from './states.js';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /**
   * `end` aligns numbers and times at the end of the cell; `word` does not wrap; `actions` is a narrow column of
   * buttons whose header only screen readers read.
   */
  kind?: 'end' | 'word' | 'actions';
  /** Hides the column on narrow screens. With `below`, the value moves to the first cell of the row. */
  onNarrow?: 'hidden' | 'below';
}

interface TableProps<T> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

/** A table of records. */
export function Table<T>({ label, columns, rows, keyOf }: TableProps<T>) {
  const classOf = ({ kind, onNarrow }: Column<T>): string =>
    [kind && styles[kind], onNarrow && styles['hiddenOnNarrow']].filter(Boolean).join(' ');
  return (
    <div className={styles['frame']}>
      <table className={styles['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" className={classOf(column)}>
                {column.kind === 'actions' ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) => (
                <td key={column.header} className={classOf(column)}>
                  {column.cell(row)}
                  {index === 0 && <Below columns={columns} row={row} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The values of the columns with `onNarrow: 'below'`, visible only on narrow screens. */
const Below = <T,>({ columns, row }: Pick<TableProps<T>, 'columns'> & { row: T }) =>
  columns
    .filter(({ onNarrow }) => onNarrow === 'below')
    .map(({ header, cell }) => (
      <div key={header} className={styles['below']}>
        {header}: {cell(row)}
      </div>
    ));
