import { parseEvent, streams, type TautanEvent } from '@tautan/proto';
import type { Log } from '../telemetry/log.js';
import type { DeadLetters } from '../mongo/index.js';
import type { Bus } from './connection.js';
import { consume } from './consume.js';

export interface ConsumeEventsOptions {
  /** Durable name. Replicas with the same name share the events. */
  durable: string;
  subject: string;
  /** Maximum number of unacknowledged events across all replicas. */
  maxInFlight?: number;
  /** Maximum number of concurrently handled events. */
  concurrency: number;
  handle: (event: TautanEvent) => Promise<void>;
  /** Stores invalid events, and events that could not be handled. */
  deadLetters: DeadLetters;
  log: Log;
}

/**
 * Consumes events like `consume`. Messages that are not valid events are dead-lettered immediately, because a retry
 * cannot help.
 */
export function consumeEvents(
  bus: Bus,
  { handle, deadLetters, ...options }: ConsumeEventsOptions,
  isTransient: (error: unknown) => boolean,
): { stop(): Promise<void> } {
  const { subject } = options;
  const deadLetter = (payload: Uint8Array, error: unknown): Promise<void> => deadLetters.keep(subject, payload, error);
  deadLetters.onReplay(subject, async (payload) => handle(parse(payload)));
  const handlePayload = async (payload: Uint8Array): Promise<void> => {
    let event: TautanEvent;
    try {
      event = parse(payload);
    } catch (error) {
      return deadLetter(payload, error);
    }
    await handle(event);
  };
  return consume(
    bus,
    { ...options, stream: streams.events.name, handle: handlePayload, onDeadLetter: deadLetter },
    isTransient,
  );
}

const parse = (payload: Uint8Array): TautanEvent => parseEvent(JSON.parse(Buffer.from(payload).toString('utf8')));
