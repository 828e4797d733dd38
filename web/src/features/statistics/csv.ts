import { dimensions, type Figures } from './statistics.js';

/**
 * Matches texts that a spreadsheet would evaluate as a formula, and the same texts after one or more apostrophes. Each
 * matching text is exported with one more apostrophe before it. Removing one apostrophe from every exported text that
 * matches therefore restores the original texts.
 */
const formula = /^'*[=+\-@\t\r]/;

const cell = (value: string | number): string => {
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Returns figures as CSV (RFC 4180), in the format of the API's export: the time series, then each list. */
export function csvOf({ timeSeries, lists, topLinks }: Figures): string {
  const series = [
    ['time', 'clicks', 'uniques'],
    ...timeSeries.map(({ time, clicks, uniques }) => [time, clicks, uniques]),
  ];
  const allLists = { ...lists, topLinks: topLinks?.map(({ slug, clicks }) => ({ key: slug, clicks })) };
  const sections = [...dimensions, 'topLinks' as const].flatMap((dimension) => {
    const rows = allLists[dimension]?.map(({ key, clicks }) => [dimension, key, clicks]);
    return rows ? [[['dimension', 'key', 'clicks'], ...rows]] : [];
  });
  const text = (rows: (string | number)[][]): string => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
  return [series, ...sections].map(text).join('\r\n');
}
