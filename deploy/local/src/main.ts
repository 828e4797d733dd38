import { endStartPhase } from './start-phase.js';
import { parseArgs } from 'node:util';
import { exampleSlug, notice, summary, terminalOf } from './terminal.js';
import { readSettings } from './settings.js';
import { LocalStack } from './stack.js';

const terminal = terminalOf(process.stdout, process.env);
const SHELL_CHECK_MS = 250;
/**
 * Signals that follow the first one within this time in ms are ignored, because npm repeats those that the terminal
 * sends.
 */
const REPEATED_MS = 1_000;
let drainingSince: number | undefined;
let stack: LocalStack | undefined;

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function drain(): void {
  drainingSince = performance.now();
  process.stdout.write(notice('Stopping …', terminal));
  (stack?.stop() ?? Promise.resolve()).then(() => process.exit(0), fail);
}

/** Drains at the first signal and stops immediately at a later one. */
function onSignal(): void {
  if (drainingSince === undefined) return drain();
  if (performance.now() - drainingSince < REPEATED_MS) return;
  stack?.kill();
  process.exit(1);
}

/** Drains when the parent shell exits: npm runs this process in a shell, which does not forward SIGTERM. */
function drainWithShell(): void {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    // The shell may have exited because of a signal that this process received, too.
    if (drainingSince === undefined) drain();
  }, SHELL_CHECK_MS).unref();
}

// The stack keeps running if the reader of its output exits.
process.stdout.on('error', () => {});
process.on('uncaughtException', fail);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
if (process.env['npm_lifecycle_event'] === 'start') drainWithShell();

try {
  const began = performance.now();
  const { repair = false } = parseArgs({ options: { repair: { type: 'boolean' } } }).values;
  const settings = readSettings(process.env);
  stack = new LocalStack(settings, (sentence) => process.stdout.write(notice(sentence, terminal)), repair);
  if (process.stdout.isTTY) process.stdout.write(notice('Starting …', terminal));
  const quickstart = await stack.start();
  const ms = performance.now() - began;
  process.stdout.write(summary(quickstart, { dataDir: settings.DATA_DIR, ms, slug: exampleSlug(), terminal }));
  endStartPhase();
} catch (error) {
  if (drainingSince === undefined) fail(error);
}
