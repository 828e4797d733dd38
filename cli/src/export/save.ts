import { Option } from 'commander';
import { unreachable } from '../connection.js';
import type { Context } from '../context.js';
import { fail, isCliError } from '../errors.js';
import { formatBytes } from '../output/text.js';
import { checkTarget, toFile, toStandardOutput } from './sink.js';

export interface SaveOptions {
  output?: string;
  force?: boolean;
}

export const saveOptions = (): Option[] => [
  new Option('-o, --output <file>', 'file to write, created when the download is complete'),
  new Option('--force', 'replace an existing file'),
];

type Chunks = AsyncIterable<Uint8Array | string>;

/**
 * Calls `read` and writes the chunks that it returns to the file `output`, or to standard output if `output` is `-` or
 * undefined. Shows the progress, unless the chunks are written to a terminal.
 */
export async function save(
  context: Context,
  { output, force }: SaveOptions,
  read: () => Promise<Chunks>,
): Promise<void> {
  const { terminal, url } = context;
  const path = output === '-' ? undefined : output;
  if (path !== undefined) checkTarget(path, force);
  const chunks = await read();
  try {
    if (path === undefined)
      await toStandardOutput(process.stdout.isTTY ? chunks : withProgress(chunks, terminal.progress));
    else await toFile(path, withProgress(chunks, terminal.progress), force);
  } catch (error) {
    terminal.progress('');
    if (isCliError(error)) throw error;
    throw fail('unavailable', `The download was interrupted: ${unreachable(url, error).message}`);
  }
  terminal.progress('');
  if (path !== undefined) terminal.note(`${terminal.noteStyle.green('✓')} Wrote ${path}`);
}

async function* withProgress(chunks: Chunks, progress: (text: string) => void): Chunks {
  let bytes = 0;
  let shownAt = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (Date.now() - shownAt > 100) {
      shownAt = Date.now();
      progress(`Downloading: ${formatBytes(bytes)}`);
    }
    yield chunk;
  }
}
