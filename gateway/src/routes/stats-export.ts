import { dimensions, type LinkStatsRecord } from '@tautan/proto';
import { envelope } from '../envelope.js';
import { csvRows, csvType } from './csv.js';

const header = (columns: readonly string[]): string => `${columns.join(',')}\r\n`;
const pointColumns = ['time', 'clicks', 'uniques'];
const keyColumns = ['dimension', 'key', 'clicks'];

/**
 * Returns the time series and each dimension as CSV, each with a header line. An empty line precedes each dimension.
 */
function csv(stats: LinkStatsRecord): string {
  const sections = dimensions.map((dimension) => {
    const rows = stats[dimension].map((each) => ({ dimension, ...each }));
    return `\r\n${header(keyColumns)}${csvRows(keyColumns, rows)}`;
  });
  return header(pointColumns) + csvRows(pointColumns, stats.timeSeries) + sections.join('');
}

/** The formats of an export of statistics, each with its writer, media type and file extension. */
export const statsExportFormats = {
  csv: { write: csv, type: csvType, extension: 'csv' },
  json: {
    write: (stats: LinkStatsRecord, requestId: string) => envelope({ data: stats, error: null }, requestId),
    type: 'application/json; charset=utf-8',
    extension: 'json',
  },
} as const satisfies Record<
  string,
  { write: (stats: LinkStatsRecord, requestId: string) => string; type: string; extension: string }
>;
