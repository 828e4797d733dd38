import { envelope } from '../envelope.js';
import { csvRows, csvType } from './csv.js';
import { dimensions, type LinkStats } from './stats-schemas.js';

const header = (columns: readonly string[]): string => `${columns.join(',')}\r\n`;
const pointColumns = ['time', 'clicks', 'uniques'];
const keyColumns = ['dimension', 'key', 'clicks'];

/** The time series with a header line, then each dimension behind an empty line, with a header line of its own. */
function csv(stats: LinkStats): string {
  const sections = dimensions.map((dimension) => {
    const rows = stats[dimension].map((each) => ({ dimension, ...each }));
    return `\r\n${header(keyColumns)}${csvRows(keyColumns, rows)}`;
  });
  return header(pointColumns) + csvRows(pointColumns, stats.timeSeries) + sections.join('');
}

/** The forms of an export of statistics: how it is written, its media type and file ending. */
export const statsExportForms = {
  csv: { write: csv, type: csvType, ending: 'csv' },
  json: {
    write: (stats: LinkStats, requestId: string) => envelope({ data: stats, error: null }, requestId),
    type: 'application/json; charset=utf-8',
    ending: 'json',
  },
} as const satisfies Record<
  string,
  { write: (stats: LinkStats, requestId: string) => string; type: string; ending: string }
>;
