import { parseEvent, streams, type TautanEvent } from '@tautan/proto';
import type { Log } from '../log.js';
import type { DeadLetters } from '../mongo/index.js';
import type { Bus } from './connection.js';
import { consume } from './consume.js';

export interface ConsumeEventsOptions {
  /** Durable name; replicas that consume under one name share the events. */
  durable: string;
  subject: string;
  /** Events that are handled at once. */
  atOnce: number;
  handle: (event: TautanEvent) => Promise<void>;
  /** Keeps what is no event, and what could not be handled. */
  deadLetters: DeadLetters;
  log: Log;
}

/** Consumes events as `consume` does. What is no event is set aside at once: it will not be one the next time. */
export function consumeEvents(
  bus: Bus,
  { handle, deadLetters, ...options }: ConsumeEventsOptions,
  isTransient: (error: unknown) => boolean,
): { stop(): Promise<void> } {
  const { subject } = options;
  const setAside = (payload: Uint8Array, error: unknown): Promise<void> => deadLetters.keep(subject, payload, error);
  deadLetters.onReplay(subject, async (payload) => handle(read(payload)));
  const take = async (payload: Uint8Array): Promise<void> => {
    let event: TautanEvent;
    try {
      event = read(payload);
    } catch (error) {
      return setAside(payload, error);
    }
    await handle(event);
  };
  return consume(bus, { ...options, stream: streams.events.name, handle: take, onDead: setAside }, isTransient);
}

const read = (payload: Uint8Array): TautanEvent => parseEvent(JSON.parse(Buffer.from(payload).toString('utf8')));
