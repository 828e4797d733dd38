import type { Environment } from '../config.js';
import type { GlobalOptions } from '../context.js';
import { exitCodes, fail, isCliError, type CliError } from '../errors.js';
import { exitGracefully } from '../interrupts.js';
import { reasonOf } from './file-problem.js';
import { styles, type Style } from './style.js';
import { printable } from './text.js';

/** Output of a command: results go to standard output, everything else to standard error. */
export interface Terminal {
  /** Prints a line on standard output. */
  print: (text: string) => void;
  /** Prints data as JSON. */
  printJson: (value: unknown) => void;
  /** Prints a line on standard error. */
  note: (text: string) => void;
  /** Shows the progress of a long command in place. Does nothing if standard error is not a terminal. */
  progress: (text: string) => void;
  style: Style;
  noteStyle: Style;
  /** Output width in columns. If undefined, there is no limit. */
  width: number | undefined;
  /** Whether standard output is a terminal that shows colors: false on a terminal with NO_COLOR or --no-color. */
  showsColors: boolean;
  /** Whether the user can be prompted. */
  interactive: boolean;
}

/** Ends the process if its output cannot be written, silently if the reader closed the pipe, else with a message. */
export function handleOutputErrors(json: boolean): void {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // EIO: the terminal was closed.
      if (error.code === 'EPIPE' || error.code === 'EIO') return exitGracefully(Number(process.exitCode ?? 0));
      const message = `Standard output cannot be written: ${reasonOf(error)}.`;
      if (stream === stdout) stderr.write(`${json ? jsonError(fail('unwritten', message)) : `✗ ${message}`}\n`);
      exitGracefully(exitCodes.unwritten);
    });
  }
}

/** Opens the terminal of this process. */
export function openTerminal({ plain, columns }: Environment, { color }: GlobalOptions): Terminal {
  const { stdout, stderr, stdin } = process;
  const hasColors = (stream: { isTTY?: boolean }) => Boolean(color !== false && !plain && stream.isTTY);
  const erase = '\r\u001b[2K';
  return {
    print: (text) => stdout.write(`${text}\n`),
    printJson: (value) => stdout.write(`${JSON.stringify(value, null, stdout.isTTY ? 2 : undefined)}\n`),
    note: (text) => stderr.write(`${stderr.isTTY ? erase : ''}${text}\n`),
    progress: (text) => stderr.isTTY && stderr.write(`${erase}${text}`),
    style: styles(hasColors(stdout)),
    noteStyle: styles(hasColors(stderr)),
    width: columns ?? (stdout.isTTY ? stdout.columns : undefined),
    showsColors: hasColors(stdout),
    interactive: Boolean(stdin.isTTY && stderr.isTTY),
  };
}

/** Prints the error that ended a command, with its details and hint, or as one line of JSON with --json. */
export function showError({ note, noteStyle: style }: Terminal, error: unknown, options: GlobalOptions): void {
  const failure = isCliError(error) ? error : fail('refused', error instanceof Error ? error.message : String(error));
  if (failure.hint) failure.hint = withTarget(failure.hint, options);
  if (options.json) return note(jsonError(failure));
  note(`${style.red('✗')} ${printable(failure.message)}`);
  for (const line of linesBelow(failure)) note(style.dim(`  ${printable(line)}`));
}

/** Returns an error as JSON. Its code is that of the API error, or the kind of failure if there is no API error. */
function jsonError({ message, failure, code, field, hint }: CliError): string {
  const kind = failure.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return JSON.stringify({ error: { code: code ?? kind, message, field, hint } });
}

/**
 * Adds the --url or --profile option of this run to the `tautan` commands that a text suggests, except for `profiles`,
 * which needs none.
 */
export function withTarget(text: string, { url, profile }: GlobalOptions): string {
  const option = url !== undefined ? `--url ${url}` : profile !== undefined ? `--profile ${profile}` : undefined;
  return option === undefined ? text : text.replaceAll(/\btautan (?!profiles )(?=[a-z])/g, `tautan ${option} `);
}

const linesBelow = ({ facts, hint }: CliError) => [
  ...(facts.length > 0 ? [facts.join(' · ')] : []),
  ...(hint ? [hint] : []),
];
