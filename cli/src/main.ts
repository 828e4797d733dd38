import { readEnvironment } from './config.js';
import type { GlobalOptions } from './context.js';
import { exitCodes, isCliError } from './errors.js';
import { handleInterrupts } from './interrupts.js';
import { handleOutputErrors, openTerminal, showError } from './output/terminal.js';
import { buildProgram, isCommanderError, isHelpOrVersion, usageError, wantsJson } from './program.js';

handleInterrupts();
handleOutputErrors(wantsJson());
const environment = readEnvironment();
const program = buildProgram(environment);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCode(error);
}

/** Prints an error that has not been printed yet, and returns the exit code. */
function exitCode(error: unknown): number {
  if (isHelpOrVersion(error)) return 0;
  const options = { ...program.opts<GlobalOptions>(), json: wantsJson() };
  const failure = isCommanderError(error) ? usageError(error) : error;
  // Commander has already printed usage errors.
  if (!isCommanderError(error) || options.json) showError(openTerminal(environment, options), failure, options);
  return isCliError(failure) ? exitCodes[failure.failure] : exitCodes.refused;
}
