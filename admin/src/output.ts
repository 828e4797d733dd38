/** Returns text that is safe to print: control and format characters are replaced. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');

/** Returns rows in columns below a line of titles. */
export function table(titles: string[], rows: string[][]): string {
  const lines = [titles, ...rows.map((row) => row.map(printable))];
  const widths = titles.map((_title, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns names and values, one per line. Entries without a value are omitted. */
export const details = (entries: [name: string, value: string | undefined][]): string => {
  const shown = entries.filter((entry): entry is [string, string] => Boolean(entry[1]));
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join('\n');
};

/** Returns a number with its noun, such as "1 key" or "2 keys". */
export const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : plural}`;
