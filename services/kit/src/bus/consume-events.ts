import { parseEvent, streams, type TautanEvent } from '@tautan/proto';
import type { Log } from '../log.js';
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
  setAside: (payload: Uint8Array, error: unknown) => Promise<void>;
  log: Log;
}

/** Consumes events as `consume` does. What is no event is set aside at once: it will not be one the next time. */
export function consumeEvents(
  bus: Bus,
  { handle, setAside, ...options }: ConsumeEventsOptions,
  isTransient: (error: unknown) => boolean,
): { stop(): Promise<void> } {
  const take = async (payload: Uint8Array): Promise<void> => {
    const event = read(payload);
    if (event instanceof Error) await setAside(payload, event);
    else await handle(event);
  };
  return consume(bus, { ...options, stream: streams.events.name, handle: take, onDead: setAside }, isTransient);
}

function read(payload: Uint8Array): TautanEvent | Error {
  try {
    return parseEvent(JSON.parse(Buffer.from(payload).toString('utf8')));
  } catch (error) {
    return error as Error;
  }
}
