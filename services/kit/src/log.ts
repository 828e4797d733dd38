import { trace } from '@opentelemetry/api';
import { pino, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/**
 * A JSON line logger for one service, to standard output or to a file descriptor. Lines inside a sampled trace carry its
 * id.
 */
export function createLog(service: string, level = 'info', fd = 1): Log {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { traceId: span.traceId } : {};
    },
    serializers: { err: pino.stdSerializers.err },
  };
  return pino(options, pino.destination({ dest: fd, sync: true }));
}
