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
import { AdminError, exitCodes } from './errors.js';
import { openService } from './service.js';

/** All commands of `tautan-admin`, in the order of the help. */
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

/**
 * Builds the program. Its `parseAsync` rejects if a command fails. After printing help and for usage errors, it rejects
 * with a CommanderError.
 */
export function buildProgram(): Command {
  const program = new Command('tautan-admin')
    .description('Operator commands of a Tautan installation. Run them in the pod or on the host of a service.')
    .version(version, '-v, --version', 'print the version')
    .addOption(new Option('--json', 'print JSON'))
    .helpCommand('help [command]', 'show help for a command')
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
      new Option('-q, --quiet', `print only the ${row.name === 'create' && above[0] === 'keys' ? 'key' : 'id'}`),
    );
  if (row.examples)
    built.addHelpText('after', `\nExamples:\n${row.examples.map((line) => `  $ tautan-admin ${line}`).join('\n')}`);
  return built.action(async (...given: unknown[]) => {
    const args = given.slice(0, built.registeredArguments.length);
    const { json, quiet, ...options } = built.optsWithGlobals<{ json?: boolean; quiet?: boolean }>();
    await runRow(row, { path, json, quiet, options, args });
  });
}

interface Invocation {
  path: string;
  json: boolean | undefined;
  quiet: boolean | undefined;
  options: Record<string, unknown>;
  args: unknown[];
}

async function runRow(row: CommandRow, { path, json, quiet, options, args }: Invocation): Promise<void> {
  const service = openService(operatorPort());
  try {
    await service.assertServes(row.rpc, row.hintWorkload, path);
    const note = (line: string): void => void (process.stderr.isTTY && process.stderr.write(`${line}\n`));
    const data = await row.run({ service, note }, options, ...args);
    const text = json ? JSON.stringify(data, withoutOneofs, 2) : quiet && row.quiet ? row.quiet(data) : row.text(data);
    process.stdout.write(`${text}\n`);
    if (row.failed?.(data)) process.exitCode = exitCodes.failed;
  } finally {
    service.close();
  }
}

/** Omits the properties that the protobuf loader adds for optional fields (`_owner: "owner"`). */
const withoutOneofs = (key: string, value: unknown): unknown =>
  key.startsWith('_') && value === key.slice(1) ? undefined : value;

/** Sets options that Commander does not pass on to commands added with `addCommand`. */
function configure(built: Command, path: string): void {
  built
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError(`See: ${path} --help`)
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 16 })
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, '')),
      // With --json, main.ts prints the error as one JSON object instead.
      ...(wantsJson() && { writeErr: () => undefined }),
    });
}

/** Returns whether the command line contains --json, even if it is otherwise invalid. */
export const wantsJson = (): boolean => process.argv.includes('--json');

/** Returns whether Commander ended the command: after printing help, or because of a usage error. */
export const isCommanderError = (error: unknown): error is CommanderError => error instanceof CommanderError;

/** Converts a usage error of Commander to an AdminError. */
export function usageError({ code, message }: CommanderError): AdminError {
  const sentence = code === 'commander.help' ? 'a command is missing' : message.replace(/^error: /, '').split('\n')[0]!;
  return new AdminError('usage', sentence, { hint: 'See: tautan-admin --help' });
}
