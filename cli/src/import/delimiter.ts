import { parse } from 'csv-parse/sync';
import { isKnownColumn } from './rows.js';

/** What can separate the cells of a line, by its name on the command line. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;

export type DelimiterName = keyof typeof delimiters;

/** Returns the delimiter under which the first line names the most columns of a link; a comma where none does. */
export function delimiterOf(content: string): string {
  const known = Object.values(delimiters).map((delimiter) => headerOf(content, delimiter).filter(isKnownColumn).length);
  return Object.values(delimiters)[known.indexOf(Math.max(...known))]!;
}

function headerOf(content: string, delimiter: string): string[] {
  try {
    const [header] = parse(content, { delimiter, to: 1, skip_empty_lines: true });
    return header ?? [];
  } catch {
    return [];
  }
}
