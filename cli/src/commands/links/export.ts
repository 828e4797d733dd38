import { Option } from 'commander';
import { command } from '../../command.js';
import { bodyOf } from '../../export/body.js';
import { asJsonArray } from '../../export/json-array.js';
import { save, saveOptions, type SaveOptions } from '../../export/save.js';

const TIMEOUT_MS = 10 * 60_000;

interface Options extends SaveOptions {
  format?: 'csv' | 'json' | 'ndjson';
}

export const exportLinks = command<Options>({
  name: 'export',
  summary: 'Export all links to standard output or a file',
  options: [
    new Option('--format <format>', 'format of the file (default: csv; json with --json)').choices([
      'csv',
      'json',
      'ndjson',
    ]),
    ...saveOptions(),
  ],
  examples: ['links export > links.csv', 'links export --format ndjson --output links.ndjson'],
  run: (context, { format = context.json ? 'json' : 'csv', ...target }) =>
    save(context, target, async () => {
      const query = { format: format === 'json' ? ('ndjson' as const) : format };
      const body = bodyOf(await context.api().fetch('/links/export', { query, timeoutMs: TIMEOUT_MS }));
      return format === 'json' ? asJsonArray(body) : body;
    }),
});
