import { trace } from '@opentelemetry/api';
import { pino, type Logger } from 'pino';

export type Log = Logger;

/** A JSON line logger for one service. Lines inside a sampled trace carry its id. */
export function createLog(service: string, level = 'info'): Log {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { traceId: span.traceId } : {};
    },
    serializers: { err: pino.stdSerializers.err },
  });
}
