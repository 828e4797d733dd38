import type { Style } from './style.js';
import { printable, widthOf } from './text.js';

/** Writes names and values below each other; what has no value is left out. */
export function details(entries: [name: string, value: string | null | undefined][], style: Style): string {
  const shown = entries.filter((entry): entry is [string, string] => Boolean(entry[1]));
  const width = Math.max(...shown.map(([name]) => widthOf(name)));
  return shown.map(([name, value]) => `${style.dim(name.padEnd(width))}  ${value}`).join('\n');
}

/** A value of the service, safe to show; null when there is none. */
export const shown = (value: string | null | undefined): string | null => (value ? printable(value) : null);
