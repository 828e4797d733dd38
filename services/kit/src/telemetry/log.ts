import { trace } from '@opentelemetry/api';
import { pino, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/**
 * Creates a JSON line logger for a service, to standard output or a file descriptor. Lines within a trace carry its
 * `trace_id` and `span_id` (OpenTelemetry's names for non-OTLP log formats).
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
  };
  const destination = pino.destination({ dest: fd, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  // A full disk must not crash the process: lines are dropped instead.
  destination.on('error', () => undefined);
  destination.on('drop', () => (dropped += 1));
  return pino(options, destination);
}

/** Maximum size of lines buffered in memory while the disk refuses writes. */
const MAX_UNWRITTEN_BYTES = 64 * 1024;
let dropped = 0;

/** Returns the number of log lines dropped because the disk refused them. */
export const droppedLogLines = (): number => dropped;
