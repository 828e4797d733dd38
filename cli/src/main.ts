import { readEnvironment } from './config.js';
import { exitCodes, isCliError } from './errors.js';
import { handleInterrupts } from './interrupts.js';
import { openTerminal, showError } from './output/terminal.js';
import { buildProgram, isAsked, isUsage } from './program.js';

handleInterrupts();
const environment = readEnvironment();
try {
  await buildProgram(environment).parseAsync();
} catch (error) {
  process.exitCode = exitCode(error);
}

/** Shows what is not said yet, and answers how the process ends. */
function exitCode(error: unknown): number {
  if (isAsked(error)) return 0;
  if (isUsage(error)) return exitCodes.usage;
  showError(openTerminal(environment, !process.argv.includes('--no-color')), error);
  return isCliError(error) ? exitCodes[error.failure] : exitCodes.refused;
}
