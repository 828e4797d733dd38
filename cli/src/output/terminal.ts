import type { Environment } from '../config.js';
import { isCliError, type CliError } from '../errors.js';
import { end } from '../interrupts.js';
import { styles, type Style } from './style.js';
import { printable } from './text.js';

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Terminal {
  print: (text: string) => void;
  /** Exact data for scripts. */
  printJson: (value: unknown) => void;
  note: (text: string) => void;
  /** Shows how far a long command is, in place; nothing where nobody watches. */
  progress: (text: string) => void;
  style: Style;
  noteStyle: Style;
  /** Columns to write for; undefined: no limit. */
  width: number | undefined;
  /** Whether a person can be asked. */
  interactive: boolean;
}

/** The terminal of this process. An output whose reader left ends it quietly. */
export function openTerminal({ plain, columns }: Environment, colours: boolean): Terminal {
  const { stdout, stderr, stdin } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // EIO: the terminal itself is gone.
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
      end(Number(process.exitCode ?? 0));
    });
  }
  const coloured = (stream: { isTTY?: boolean }) => Boolean(colours && !plain && stream.isTTY);
  const erase = '\r\u001b[2K';
  return {
    print: (text) => stdout.write(`${text}\n`),
    printJson: (value) => stdout.write(`${JSON.stringify(value, null, stdout.isTTY ? 2 : undefined)}\n`),
    note: (text) => stderr.write(`${stderr.isTTY ? erase : ''}${text}\n`),
    progress: (text) => stderr.isTTY && stderr.write(`${erase}${text}`),
    style: styles(coloured(stdout)),
    noteStyle: styles(coloured(stderr)),
    width: columns ?? (stdout.isTTY ? stdout.columns : undefined),
    interactive: Boolean(stdin.isTTY && stderr.isTTY),
  };
}

/** Says what ended a command: the sentence, its facts, what may help. */
export function showError({ note, noteStyle: style }: Terminal, error: unknown): void {
  note(`${style.red('✗')} ${printable(error instanceof Error ? error.message : String(error))}`);
  if (!isCliError(error)) return;
  for (const line of linesBelow(error)) note(style.dim(`  ${printable(line)}`));
}

const linesBelow = ({ facts, hint }: CliError) => [
  ...(facts.length > 0 ? [facts.join(' · ')] : []),
  ...(hint ? [hint] : []),
];
