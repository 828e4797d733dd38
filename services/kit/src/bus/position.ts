import type { ConsumerInfo, JetStreamManager, JsMsg } from '@nats-io/jetstream';

/**
 * Returns a key that identifies a message. The sequence alone is not enough, because a truncated or restored stream
 * reuses sequences.
 */
export const messageKey = ({ seq, timestampNanos }: JsMsg): string => `${seq}@${timestampNanos}`;

/** Tracks the newest message received, to detect after a reconnect that the stream has lost it. */
export class NewestMessage {
  #received: JsMsg | undefined;
  #expected: JsMsg | undefined;

  note(message: JsMsg): void {
    if (message.seq > (this.#received?.seq ?? 0)) this.#received = message;
  }

  /**
   * Call this when the connection is lost. From then until the stream is checked, `sequence` and `isReplaced` refer to
   * the newest message received before the disconnection, even if later messages arrive.
   */
  onConnectionLost(): void {
    this.#expected ??= this.#received;
  }

  /** Call this after a check of the stream. `isReset`: the consumer was recreated and receives the whole stream. */
  onStreamChecked(isReset = false): void {
    this.#expected = undefined;
    if (isReset) this.#received = undefined;
  }

  /** Sequence of the message; 0 if none was received. */
  get sequence(): number {
    return this.#message?.seq ?? 0;
  }

  /** Returns whether the stream now has a different message with the same sequence. */
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

/** The last sequence that a consumer received, and the last one in its stream. */
interface Positions {
  consumerSequence: number;
  streamSequence: number;
}

/**
 * Returns the positions of a consumer if its stream was restored from an older copy or truncated, else undefined. The
 * consumer is then ahead of the stream, or the stream has since stored other messages under sequences that the consumer
 * has passed. The consumer would skip new messages up to its own position.
 */
export async function aheadOfStream(
  manager: JetStreamManager,
  { stream, durable }: { stream: string; durable: string },
  newest: NewestMessage,
): Promise<Positions | undefined> {
  // Read the consumer first, so that messages stored and delivered between the two requests do not make it appear to be
  // ahead.
  const consumer = await manager.consumers.info(stream, durable);
  const { state } = await manager.streams.info(stream);
  const consumerSequence = Math.max(positionOf(consumer), newest.sequence);
  const ahead = consumerSequence > state.last_seq || (await newest.isReplaced(manager, stream));
  return ahead ? { consumerSequence, streamSequence: state.last_seq } : undefined;
}

const positionOf = ({ delivered, ack_floor }: ConsumerInfo): number =>
  Math.max(delivered.stream_seq, ack_floor.stream_seq);
