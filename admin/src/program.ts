import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import type { CommandGroup, CommandRow } from './command.js';
import { audit } from './commands/audit.js';
import { deadLetters } from './commands/dead-letters.js';
import { encryption } from './commands/encryption.js';
import { keys } from './commands/keys.js';
import { shard } from './commands/shard.js';
import { stats } from './commands/stats.js';
import { status } from './commands/status.js';
import { usage } from './commands/usage.js';
import { workspaces } from './commands/workspaces.js';
import { operatorPort } from './config.js';
import { exitCodes } from './errors.js';
import { openService } from './service.js';

/** Everything that `tautan-admin` can do, in the order of its help. */
export const commands: (CommandRow | CommandGroup)[] = [
  status,
  workspaces,
  keys,
  audit,
  stats,
  usage,
  encryption,
  deadLetters,
  shard,
];

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Builds the command line. Failures of a command, help and wrong usage (CommanderError) reject `parseAsync`. */
export function buildProgram(): Command {
  const program = new Command('tautan-admin')
    .description('Operates an installation of Tautan. Run it where a service runs: in its pod, or on its host.')
    .version(version, '-v, --version', 'print the version')
    .addOption(new Option('--json', 'print exact data for scripts'))
    .helpCommand('help [command]', 'explain a command')
    .showSuggestionAfterError();
  configure(program, 'tautan-admin');
  for (const entry of commands) {
    if ('run' in entry) program.addCommand(leaf(entry, []));
    else program.addCommand(group(entry));
  }
  return program;
}

function group({ name, summary, commands }: CommandGroup): Command {
  const built = new Command(name).summary(summary).description(`${summary}.`).helpCommand(false);
  configure(built, `tautan-admin ${name}`);
  for (const row of commands) built.addCommand(leaf(row, [name]));
  return built;
}

function leaf(row: CommandRow, above: string[]): Command {
  const path = [...above, row.name].join(' ');
  const built = new Command(row.name).summary(row.summary).description(`${row.summary}.`);
  configure(built, `tautan-admin ${path}`);
  for (const argument of row.args ?? []) built.addArgument(argument);
  for (const option of row.options ?? []) built.addOption(option);
  if (row.quiet)
    built.addOption(
      new Option('-q, --quiet', `print the ${row.name === 'create' && above[0] === 'keys' ? 'key' : 'id'} alone`),
    );
  if (row.examples)
    built.addHelpText('after', `\nExamples:\n${row.examples.map((line) => `  $ tautan-admin ${line}`).join('\n')}`);
  return built.action(async (...given: unknown[]) => {
    const args = given.slice(0, built.registeredArguments.length) as never[];
    const { json, quiet, ...options } = built.optsWithGlobals<{ json?: boolean; quiet?: boolean }>();
    await runRow(row, { path, json, quiet, options, args });
  });
}

interface Invocation {
  path: string;
  json: boolean | undefined;
  quiet: boolean | undefined;
  options: Record<string, unknown>;
  args: never[];
}

async function runRow(row: CommandRow, { path, json, quiet, options, args }: Invocation): Promise<void> {
  const service = openService(operatorPort());
  try {
    await service.assertServes(row.needs, row.where, path);
    const note = (line: string): void => void (process.stderr.isTTY && process.stderr.write(`${line}\n`));
    const data = await row.run({ service, note }, options, ...args);
    const text = json ? JSON.stringify(data, withoutOneofs, 2) : quiet && row.quiet ? row.quiet(data) : row.text(data);
    process.stdout.write(`${text}\n`);
    if (row.failed?.(data)) process.exitCode = exitCodes.failed;
  } finally {
    service.close();
  }
}

/** Leaves out the names of optional fields that are set, which the protobuf loader adds (`_owner: "owner"`). */
const withoutOneofs = (key: string, value: unknown): unknown =>
  key.startsWith('_') && value === key.slice(1) ? undefined : value;

/** What Commander does not hand down to commands that are added whole. */
function configure(built: Command, path: string): void {
  built
    .exitOverride()
    .helpOption('-h, --help', 'explain this')
    .showHelpAfterError(`See: ${path} --help`)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) });
}

/** Whether Commander ended the command, after help or a message about the command line. */
export const isCommanderError = (error: unknown): error is CommanderError => error instanceof CommanderError;
