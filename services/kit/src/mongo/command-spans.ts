import type { Span } from '@opentelemetry/api';
import type { mongo } from 'mongoose';
import { beginSpan, failSpan } from '../telemetry/telemetry.js';

/**
 * Records a span for every command within a sampled trace. The driver emits its events in the caller's async context.
 * Statements and values are never recorded.
 */
export function traceCommands(client: mongo.MongoClient): void {
  const spans = new Map<number, Span>();
  client.on('commandStarted', ({ requestId, commandName, databaseName, command }) => {
    const collection = collectionOf(commandName, command);
    const span = beginSpan(collection === undefined ? commandName : `${commandName} ${collection}`, {
      kind: 'client',
      attributes: {
        'db.system.name': 'mongodb',
        'db.namespace': databaseName,
        'db.operation.name': commandName,
        ...(collection !== undefined && { 'db.collection.name': collection }),
      },
    });
    if (span) spans.set(requestId, span);
  });
  const end = (requestId: number, error?: Error): void => {
    const span = spans.get(requestId);
    if (!span) return;
    spans.delete(requestId);
    if (error) failSpan(span, error.name);
    span.end();
  };
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure));
}

/**
 * Returns the collection of a command: the value of the field with the command's name, or of `collection` for
 * `getMore`.
 */
function collectionOf(name: string, command: Record<string, unknown>): string | undefined {
  const collection = name === 'getMore' ? command['collection'] : command[name];
  return typeof collection === 'string' ? collection : undefined;
}
