import { trace } from '@opentelemetry/api';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/**
 * Creates a service's logger, which writes JSON lines to a file descriptor (default: standard output). Lines within a
 * trace have a `trace_id` and a `span_id` (OpenTelemetry's names for non-OTLP log formats). The lines of one turn of
 * the event loop are written together; a warning or an error is written immediately, with the lines before it.
 */
export function createLog(service: string, level = 'info', fd = 1): Log {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
    },
    serializers: { err: pino.stdSerializers.err },
    // Errors of ioredis contain the arguments of the command: for a refused login, the user name and the password.
    redact: { paths: ['err.command.args'], remove: true },
  };
  return pino(options, destinationOf(fd));
}

/** Maximum total size of the lines that are buffered in memory while writes to the disk fail. */
const MAX_UNWRITTEN_BYTES = 64 * 1024;
/** When pending lines have more characters than this, they are written without waiting for the end of the turn. */
const MAX_TURN_LENGTH = 8 * 1024;
const WARN = pino.levels.values['warn']!;
let dropped = 0;

/** Returns the number of log lines dropped because they could not be written. */
export const droppedLogLines = (): number => dropped;

const flushes = new Set<() => void>();
process.on('exit', () => flushes.forEach((flush) => flush()));

function destinationOf(fd: number): DestinationStream {
  const file = pino.destination({ dest: fd, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  // A full disk must not crash the process: lines are dropped instead.
  file.on('error', () => undefined);
  file.on('drop', (lines: string) => (dropped += lines.split('\n').length - 1));
  let pending = '';
  const flush = (): void => {
    if (pending !== '') file.write(pending);
    pending = '';
  };
  flushes.add(flush);
  return {
    // Makes pino set lastLevel before each write.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string): void {
      if (pending === '') setImmediate(flush);
      pending += line;
      if (this.lastLevel >= WARN || pending.length > MAX_TURN_LENGTH) flush();
    },
  } as DestinationStream & { lastLevel: number };
}
