import { trace } from '@opentelemetry/api';
import { pino, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/**
 * A JSON line logger for one service, to standard output or to a file descriptor. Lines inside a trace carry its
 * `trace_id` and `span_id`, the names that OpenTelemetry gives them in logs of other formats.
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
  // A full disk must end no process: what does not fit is dropped.
  destination.on('error', () => undefined);
  destination.on('drop', () => (dropped += 1));
  return pino(options, destination);
}

/** Lines are kept in memory up to this while the disk refuses them, and written once it accepts them again. */
const MAX_UNWRITTEN_BYTES = 64 * 1024;
let dropped = 0;

/** Number of log lines of this process that were dropped, because the disk refused to store them. */
export const droppedLogLines = (): number => dropped;
