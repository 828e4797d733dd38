import { Command, CommanderError, Option } from 'commander';
import type { CommandGroup, CommandRow } from './command.js';
import { auditLog } from './commands/audit/index.js';
import { billing } from './commands/billing/index.js';
import { completion } from './commands/completion.js';
import { domains } from './commands/domains/index.js';
import { keys } from './commands/keys/index.js';
import { links } from './commands/links/index.js';
import { listen } from './commands/listen.js';
import { login } from './commands/login.js';
import { logout } from './commands/logout.js';
import { mcp } from './commands/mcp.js';
import { members } from './commands/members/index.js';
import { profiles } from './commands/profiles/index.js';
import { qr } from './commands/qr/index.js';
import { sessions } from './commands/sessions/index.js';
import { tags } from './commands/tags/index.js';
import { webhooks } from './commands/webhooks/index.js';
import { whoami } from './commands/whoami.js';
import { workspaces } from './commands/workspaces/index.js';
import { readEnvironment, type Environment } from './config.js';
import { openContext, type GlobalOptions } from './context.js';
import { exitCodeHelp, fail, type CliError } from './errors.js';
import { styles } from './output/style.js';
import { version } from './version.js';

/** All commands of `tautan`, in the order of the help. */
const table: (CommandRow | CommandGroup)[] = [
  login,
  logout,
  whoami,
  profiles,
  links,
  qr,
  tags,
  domains,
  workspaces,
  members,
  keys,
  sessions,
  webhooks,
  listen,
  billing,
  auditLog,
  mcp,
  completion,
];

const globalOptions = () => [
  new Option('--json', 'print the data of the API as JSON'),
  new Option('--url <address>', 'service URL (TAUTAN_URL)'),
  new Option('--profile <name>', 'stored profile to use (TAUTAN_PROFILE); see: tautan profiles'),
  new Option('--workspace <id>', 'workspace to use (TAUTAN_WORKSPACE)'),
  new Option('--no-color', 'print without colors (NO_COLOR)'),
];

/**
 * Builds the program. Its `parseAsync` rejects with the error of a command that fails. It rejects with a CommanderError
 * after a usage error, and after printing the help or the version.
 */
export function buildProgram(environment: Environment = readEnvironment()): Command {
  const program = new Command('tautan')
    .description('Short links from the terminal.')
    .version(version, '-v, --version', 'print the version')
    .showSuggestionAfterError();
  for (const option of globalOptions()) program.addOption(option);
  configure(program, 'tautan', environment);
  for (const entry of table) program.addCommand(build(entry, 'tautan', environment));
  program
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', examples(['login', 'links create https://example.com', 'links list'], 'Try:') + exitCodeHelp);
  return program;
}

const build = (entry: CommandRow | CommandGroup, above: string, environment: Environment): Command =>
  'run' in entry ? runnable(entry, above, environment) : group(entry, above, environment);

function group({ name, summary, commands }: CommandGroup, above: string, environment: Environment): Command {
  const path = `${above} ${name}`;
  const built = new Command(name).summary(summary).description(`${summary}.`).helpCommand(false);
  configure(built, path, environment);
  for (const entry of commands) built.addCommand(build(entry, path, environment));
  return built;
}

function runnable(row: CommandRow, above: string, environment: Environment): Command {
  const built = new Command(row.name).summary(row.summary).description(`${row.summary}.`);
  configure(built, `${above} ${row.name}`, environment);
  for (const argument of row.args ?? []) built.addArgument(argument);
  for (const option of row.options ?? []) built.addOption(option);
  if (row.examples) built.addHelpText('after', examples(row.examples, 'Examples:'));
  for (const below of row.commands ?? [])
    built.helpCommand(false).addCommand(runnable(below, `${above} ${row.name}`, environment));
  return built.action(async (...given: unknown[]) => {
    const args = given.slice(0, built.registeredArguments.length) as string[];
    const { json, url, profile, workspace, color, ...options } = built.optsWithGlobals<
      GlobalOptions & Record<string, unknown>
    >();
    await row.run(openContext(environment, definedOnly({ json, url, profile, workspace, color })), options, ...args);
  });
}

const definedOnly = (options: Record<string, unknown>): GlobalOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

const examples = (lines: string[], title: string) =>
  `\n${title}\n${lines.map((line) => `  $ tautan ${line}`).join('\n')}`;

/** Configures a command. Commander does not copy these settings to commands that are added with `addCommand`. */
function configure(built: Command, path: string, { plain, columns }: Environment): void {
  const style = styles(Boolean(process.stdout.isTTY) && !plain && !process.argv.includes('--no-color'));
  built
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError(`  See: ${path} --help`)
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, '✗ ')),
      // With --json, main.ts prints the error as one JSON object instead.
      ...(wantsJson() && { writeErr: () => undefined }),
    })
    .configureHelp({
      showGlobalOptions: true,
      // Wraps descriptions for which at least 16 columns are left. By default, Commander requires 40.
      minWidthToWrap: 16,
      ...(columns && { helpWidth: columns }),
      styleTitle: (text) => style.bold(text),
      styleCommandText: (text) => style.cyan(text),
      styleSubcommandTerm: (text) => style.cyan(text),
    });
}

/** Returns whether Commander ended the command after printing the requested help or version. */
export const isHelpOrVersion = (error: unknown): boolean => error instanceof CommanderError && error.exitCode === 0;

/**
 * Returns whether Commander ended the command. The reason is a usage error, unless `isHelpOrVersion` returns true.
 * Commander prints usage errors itself, except with --json.
 */
export const isCommanderError = (error: unknown): error is CommanderError => error instanceof CommanderError;

/** Returns whether the command line contains --json, even if it is otherwise invalid. */
export const wantsJson = (): boolean => process.argv.includes('--json');

/** Converts a usage error of Commander to a `CliError`. */
export function usageError({ code, message }: CommanderError): CliError {
  const sentence = code === 'commander.help' ? 'a command is missing' : message.replace(/^error: /, '').split('\n')[0]!;
  return fail('usage', sentence, { hint: 'See: tautan --help' });
}
