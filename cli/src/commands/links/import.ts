import { Argument, Option } from 'commander';
import { command } from '../../command.js';
import { fail, planLimitHint, type CliError } from '../../errors.js';
import { importRows, type Imported } from '../../import/batches.js';
import { delimiters, type DelimiterName } from '../../import/delimiter.js';
import type { ImportFormat } from '../../import/read.js';
import type { Terminal } from '../../output/terminal.js';
import { count, counted, printable } from '../../output/text.js';

interface Options {
  dryRun?: boolean;
  format?: ImportFormat;
  delimiter?: DelimiterName;
}

export const importLinks = command<Options>({
  name: 'import',
  summary: 'Make links from a CSV, JSON or NDJSON file',
  args: [new Argument('<file>', 'the file; - for standard input')],
  options: [
    new Option('--dry-run', 'check everything, and make nothing'),
    new Option('--format <format>', 'form of the file, where its name does not tell').choices([
      'csv',
      'json',
      'ndjson',
    ]),
    new Option(
      '--delimiter <name>',
      'what separates the cells of a CSV file (default: found in its first line)',
    ).choices(Object.keys(delimiters)),
  ],
  examples: [
    'links import links.csv --dry-run',
    'links export --format ndjson | tautan links import - --url https://go.example.com',
  ],
  run: async ({ api, terminal, json }, { dryRun = false, format, delimiter }, path) => {
    const { readRows } = await import('../../import/read.js');
    const rows = await readRows(path, format, delimiter);
    const progress = (sent: number) => terminal.progress(`${count(sent)} of ${counted(rows.length, 'row')} …`);
    const { done, error } = await importRows(api(), rows, { dryRun, progress });
    terminal.progress('');
    if (json) terminal.printJson(done);
    else report(terminal, done);
    if (error) throw error;
    if (done.failed > 0) throw refusal(done);
  },
});

function refusal({ failed, total, results }: Imported): CliError {
  const message = `${count(failed)} of ${counted(total, 'row')} refused`;
  const overLimit = results.filter(({ error }) => error?.code === 'PLAN_LIMIT_EXCEEDED').length;
  if (overLimit === 0) return fail('refused', `${message}.`);
  return fail('refused', `${message}, ${count(overLimit)} because of a plan limit.`, { hint: planLimitHint });
}

function report(
  { note, print, style, noteStyle }: Terminal,
  { dryRun, total, created, failed, results }: Imported,
): void {
  for (const { at, error } of results) {
    if (error) note(`${noteStyle.red('✗')} ${at}  ${noteStyle.bold(error.field ?? '')} ${printable(error.message)}`);
  }
  const good = dryRun ? total - failed : created;
  const mark = failed === 0 ? style.green('✓') : style.yellow('!');
  print(`${mark} ${dryRun ? `${counted(good, 'link')} could be made; nothing was` : `Made ${counted(good, 'link')}`}`);
}
