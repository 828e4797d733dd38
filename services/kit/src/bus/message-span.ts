import type { SpanOptions } from '../telemetry/telemetry.js';

const operations = {
  publish: { kind: 'producer', type: 'send' },
  process: { kind: 'consumer', type: 'process' },
} as const;

/** Returns the options of the span for a message (OpenTelemetry semantic conventions for messaging). */
export const messageSpan = (operation: keyof typeof operations, subject: string, durable?: string): SpanOptions => ({
  kind: operations[operation].kind,
  attributes: {
    'messaging.system': 'nats',
    'messaging.operation.name': operation,
    'messaging.operation.type': operations[operation].type,
    'messaging.destination.name': subject,
    ...(durable !== undefined && { 'messaging.consumer.group.name': durable }),
  },
});
