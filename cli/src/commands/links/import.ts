import { Argument, Option } from 'commander';
import { command } from '../../command.js';
import type { Context } from '../../context.js';
import { fail, planLimitHint, type CliError } from '../../errors.js';
import { importRows, type Imported, type ImportOutcome } from '../../import/batches.js';
import type { FormatName, Source } from '../../import/read.js';
import { progressBar } from '../../output/progress.js';
import { showError, type Terminal } from '../../output/terminal.js';
import { count, counted, printable } from '../../output/text.js';

interface Options {
  dryRun?: boolean;
  format?: FormatName;
  delimiter?: 'comma' | 'semicolon' | 'tab';
  dateOrder?: 'dmy' | 'mdy';
  domain?: string;
}

const formats = ['csv', 'json', 'ndjson', 'tautan', 'bitly', 'kutt', 'rebrandly', 'shlink', 'shortio', 'yourls'];

export const importLinks = command<Options>({
  name: 'import',
  summary: 'Create links from a file, including exports of other products',
  args: [new Argument('<file>', 'CSV, JSON or NDJSON file; - for standard input')],
  options: [
    new Option('--dry-run', 'show the column mapping and check every row without creating links'),
    new Option('--format <format>', 'file format, or the product that exported the file (default: detected)').choices(
      formats,
    ),
    new Option('--delimiter <name>', 'separator of a CSV file (default: detected)').choices([
      'comma',
      'semicolon',
      'tab',
    ]),
    new Option('--date-order <order>', 'order of day and month in dates such as 3/4/2030').choices(['dmy', 'mdy']),
    new Option('--domain <name>', 'custom domain for rows without one'),
  ],
  examples: [
    'links import links.csv --dry-run',
    'links import bitly-export.csv --format bitly --domain go.example.com',
    'links export --format ndjson | tautan links import - --url https://go.example.com',
  ],
  run: async (context, { dryRun = false, domain, ...options }, path) => {
    const { api, terminal, json } = context;
    const { readRows } = await import('../../import/read.js');
    const source = await readRows(path, options);
    const rows = domain ? source.rows.map(({ at, item }) => ({ at, item: withDomain(item, domain) })) : source.rows;
    if (!json) await announce(context, source, dryRun);
    const progress = (sent: number) => terminal.progress(progressBar(sent, rows.length, 'rows'));
    progress(0);
    const problems = source.csv?.problems ?? [];
    const show = (imported: Imported) => {
      terminal.progress('');
      if (json) terminal.printJson(problems.length > 0 ? { ...imported, problems } : imported);
      else report(terminal, imported, problems);
    };
    const interrupted = (outcome: ImportOutcome) => {
      if (dryRun) return;
      show(outcome.done);
      showError(terminal, outcome.error, { json });
    };
    const { done, error } = await importRows(api(), rows, { dryRun, progress, interrupted });
    show(done);
    if (error) throw error;
    if (done.failed + problems.length > 0) throw refusal(done, problems.length);
  },
});

/** Adds the domain to a row without one. Exported links on the default domain have `domain: null`. */
const withDomain = (item: unknown, domain: string): unknown =>
  typeof item === 'object' && item !== null && !(item as { domain?: unknown }).domain ? { ...item, domain } : item;

/** Prints the column mapping for a dry run, or the product that exported the file. */
async function announce({ terminal }: Context, { csv }: Source, dryRun: boolean): Promise<void> {
  if (!csv) return;
  const { formats } = await import('@tautan/sdk/import-formats');
  const { mappingPreview } = await import('../../output/mapping.js');
  const { print, note, style, noteStyle, width } = terminal;
  if (dryRun) print(mappingPreview(csv, style, width));
  else if (csv.format !== 'tautan') note(noteStyle.dim(`Reading a ${formats[csv.format].label} export.`));
}

/** CSV rows that could not be converted. They are not sent. */
type Problems = NonNullable<Source['csv']>['problems'];

function refusal({ failed, total, results }: Imported, problemCount: number): CliError {
  const message = `${count(failed + problemCount)} of ${counted(total + problemCount, 'row')} rejected`;
  const overLimit = results.filter(({ error }) => error?.code === 'PLAN_LIMIT_EXCEEDED').length;
  if (overLimit === 0) return fail('refused', `${message}.`);
  return fail('refused', `${message}, ${count(overLimit)} because of a plan limit.`, { hint: planLimitHint });
}

function report({ note, print, style, noteStyle }: Terminal, done: Imported, problems: Problems): void {
  const { dryRun, total, created, failed, results } = done;
  const noteError = (at: string, field: string | undefined, message: string) =>
    note(`${noteStyle.red('✗')} ${at}  ${noteStyle.bold(field ?? '')} ${printable(message)}`);
  for (const { line, field, message } of problems) noteError(`line ${line}`, field, message);
  for (const { at, error } of results) if (error) noteError(at, error.field, error.message);
  const accepted = counted(dryRun ? total - failed : created, 'link');
  const mark = failed + problems.length === 0 ? style.green('✓') : style.yellow('!');
  print(`${mark} ${dryRun ? `${accepted} can be imported. Nothing was created.` : `Imported ${accepted}`}`);
}
