import { AdminError, exitCodes } from './errors.js';
import { printable } from './output.js';
import { buildProgram, isCommanderError, usageError, wantsJson } from './program.js';

// The reader of the output, such as `head`, may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : exitCodes.failed),
);
try {
  await buildProgram().parseAsync();
} catch (error) {
  process.exitCode = end(error);
}

/** Prints an error that has not been printed yet, and returns the exit code. */
function end(error: unknown): number {
  if (isCommanderError(error) && error.exitCode === 0) return 0;
  if (isCommanderError(error) && !wantsJson()) return exitCodes.usage;
  const { failure, message, more } = adminError(error);
  if (wantsJson()) process.stderr.write(`${JSON.stringify({ error: { message, ...more } })}\n`);
  else
    process.stderr.write(
      [message, more.hint ?? []]
        .flat()
        .map((line) => `${line.split('\n').map(printable).join('\n')}\n`)
        .join(''),
    );
  return exitCodes[failure];
}

function adminError(error: unknown): AdminError {
  if (error instanceof AdminError) return error;
  return isCommanderError(error) ? usageError(error) : new AdminError('failed', (error as Error).message);
}
