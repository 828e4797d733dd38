import type { Style } from './style.js';
import { printable, widthOf } from './text.js';

/** Returns one line for each entry, with its name and its value. Entries without a value are omitted. */
export function details(entries: [name: string, value: string | null | undefined][], style: Style): string {
  const shown = entries.filter((entry): entry is [string, string] => Boolean(entry[1]));
  const width = Math.max(...shown.map(([name]) => widthOf(name)));
  return shown.map(([name, value]) => `${style.dim(name.padEnd(width))}  ${value}`).join('\n');
}

/** Returns a value with unsafe characters replaced. Returns null for null, undefined and an empty string. */
export const printableOrNull = (value: string | null | undefined): string | null => (value ? printable(value) : null);
