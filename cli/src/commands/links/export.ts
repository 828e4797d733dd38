import { Option } from 'commander';
import { command } from '../../command.js';
import { unreachable } from '../../connection.js';
import { fail, isCliError } from '../../errors.js';
import { asJsonArray } from '../../export/json-array.js';
import { toFile, toStandardOutput } from '../../export/sink.js';

const TIMEOUT_MS = 10 * 60_000;

interface Options {
  format?: 'csv' | 'json' | 'ndjson';
  output?: string;
}

export const exportLinks = command<Options>({
  name: 'export',
  summary: 'Write all links to standard output or a file',
  options: [
    new Option('--format <format>', 'form of the file (default: csv; json with --json)').choices([
      'csv',
      'json',
      'ndjson',
    ]),
    new Option('-o, --output <file>', 'file to write: whole, or not at all'),
  ],
  examples: ['links export > links.csv', 'links export --format ndjson --output links.ndjson'],
  run: async ({ api, terminal, json, url }, { format = json ? 'json' : 'csv', output }) => {
    const query = { format: format === 'json' ? ('ndjson' as const) : format };
    const response = await api().fetch('/links/export', { query, timeoutMs: TIMEOUT_MS });
    const chunks = format === 'json' ? asJsonArray(response.body!) : response.body!;
    try {
      await (output === undefined || output === '-' ? toStandardOutput(chunks) : toFile(output, chunks));
    } catch (error) {
      throw isCliError(error) ? error : cut(unreachable(url, error));
    }
    if (output !== undefined && output !== '-') terminal.note(`${terminal.noteStyle.green('✓')} Wrote ${output}`);
  },
});

const cut = (error: Error) => fail('unavailable', `The export broke off: ${error.message}`);
