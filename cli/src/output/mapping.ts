import { formats, type ParsedImport } from '@tautan/sdk/import-formats';
import type { Style } from './style.js';
import { table } from './table.js';
import { counted } from './text.js';

const separators = { comma: 'commas', semicolon: 'semicolons', tab: 'tabs' } as const;

/** Returns the format of a CSV file and a table of its column mapping. */
export function mappingPreview(csv: ParsedImport, style: Style, width?: number): string {
  const { format, delimiter, columns, rows, problems } = csv;
  const size = counted(rows.length + problems.length, 'row');
  const head = `${style.bold(formats[format].label)} export, separated by ${separators[delimiter]}, ${size}`;
  const preview = table<ParsedImport['columns'][number]>(
    columns,
    [
      { title: 'COLUMN', value: ({ title }) => title, minWidth: 10 },
      {
        title: 'FIELD',
        value: ({ field }) => field ?? 'ignored',
        paint: (cell, { field }) => (field ? style.cyan(cell) : style.dim(cell)),
      },
      { title: 'EXAMPLE', value: ({ example }) => example ?? '', paint: style.dim, minWidth: 12, omitPriority: 1 },
    ],
    style,
    width,
  );
  return `${head}\n\n${preview}\n`;
}
