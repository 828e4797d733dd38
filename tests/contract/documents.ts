import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env['CONTRACT_FOLDER'];
if (!folder) throw new Error('Set CONTRACT_FOLDER to the folder that holds contract.md and api-reference.md.');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The two documents that specify the API. */
export const contract = read('contract.md');
export const reference = read('api-reference.md');

/** Returns the text between a heading and the next of the same or a higher level. Throws if the heading is missing. */
export function section(document: string, heading: string): string {
  const lines = document.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ (\d+\. )?/, '') === heading);
  if (start < 0) throw new Error(`The document has no section "${heading}".`);
  const level = /^#+/.exec(lines[start]!)![0].length;
  const length = lines.slice(start + 1).findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n');
}

/** Returns the rows of all Markdown tables of a text, without header and delimiter rows. */
export function rows(text: string): string[][] {
  const lines = text.split('\n');
  const isDelimiter = (line: string | undefined): boolean => /^\|[-| ]+\|$/.test(line ?? '');
  return lines
    .filter((line, at) => line.startsWith('|') && !isDelimiter(line) && !isDelimiter(lines[at + 1]))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
}

/** Returns the second cell of each row of a text's tables, keyed by the first cell. */
export const byName = (text: string): Record<string, string> =>
  Object.fromEntries(rows(text).map(([name, value]) => [name!, value!]));

/**
 * Returns what the first group of a pattern matches. Throws if the text does not match, so that a reworded document is
 * noticed.
 */
export function firstGroup(text: string, pattern: RegExp): string {
  const [, group] = pattern.exec(text) ?? [];
  if (group === undefined) throw new Error(`The document does not match ${pattern}.`);
  return group;
}

/** Returns the number that the first group of a pattern matches, with or without commas, such as `2,048`. */
export const numberIn = (text: string, pattern: RegExp): number =>
  Number(firstGroup(text, pattern).replaceAll(',', ''));

/** Returns the words of a list such as `a, b, c` or `a b c`. */
export const words = (text: string): string[] => text.split(/[,\s]+/).filter(Boolean);
