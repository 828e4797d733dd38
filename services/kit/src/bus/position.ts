import type { ConsumerInfo, JetStreamManager, JsMsg } from '@nats-io/jetstream';

/** Identifies a message in a stream, because a truncated or restored stream reuses sequences. */
export const messageKey = ({ seq, timestampNanos }: JsMsg): string => `${seq}@${timestampNanos}`;

/** The newest message received before a reconnect, to detect that the stream has lost it. */
export class NewestMessage {
  #received: JsMsg | undefined;
  #expected: JsMsg | undefined;

  note(message: JsMsg): void {
    if (message.seq > (this.#received?.seq ?? 0)) this.#received = message;
  }

  /** Marks the connection as lost. Messages that arrive before the stream is checked are ignored. */
  hold(): void {
    this.#expected ??= this.#received;
  }

  /** Marks the stream as checked. `isReset`: its sequences start over. */
  release(isReset = false): void {
    this.#expected = undefined;
    if (isReset) this.#received = undefined;
  }

  get sequence(): number {
    return this.#message?.seq ?? 0;
  }

  /** Returns whether the stream has a different message at this sequence. */
  async isReplaced(manager: JetStreamManager, stream: string): Promise<boolean> {
    const message = this.#message;
    if (!message) return false;
    const stored = await manager.streams.getMessage(stream, { seq: message.seq });
    return stored !== null && stored.time.getTime() !== Number(message.timestampNanos / 1_000_000n);
  }

  get #message(): JsMsg | undefined {
    return this.#expected ?? this.#received;
  }
}

/** A consumer ahead of its stream: the last sequence it received and the last one in the stream. */
export interface Ahead {
  consumerSequence: number;
  streamSequence: number;
}

/**
 * Returns the positions of a consumer if it is ahead of its stream, else undefined. Such a stream was restored from an older
 * copy or truncated, and the consumer would skip new messages up to its own position.
 */
export async function aheadOfStream(
  manager: JetStreamManager,
  { stream, durable }: { stream: string; durable: string },
  newest: NewestMessage,
): Promise<Ahead | undefined> {
  // Read the consumer first, so that messages stored and delivered between the two requests do not make it seem ahead.
  const consumer = await manager.consumers.info(stream, durable);
  const { state } = await manager.streams.info(stream);
  const consumerSequence = Math.max(positionOf(consumer), newest.sequence);
  const ahead = consumerSequence > state.last_seq || (await newest.isReplaced(manager, stream));
  return ahead ? { consumerSequence, streamSequence: state.last_seq } : undefined;
}

const positionOf = ({ delivered, ack_floor }: ConsumerInfo): number =>
  Math.max(delivered.stream_seq, ack_floor.stream_seq);
