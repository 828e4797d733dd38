import type { ConsumerInfo, JetStreamManager, JsMsg } from '@nats-io/jetstream';

/** A message's identity in a stream: a stream that was cut or restored uses its sequences again. */
export const messageKey = ({ seq, timestampNanos }: JsMsg): string => `${seq}@${timestampNanos}`;

/** The newest message that a consumer received before it was connected anew, to recognize a stream that has lost it. */
export class NewestMessage {
  #received: JsMsg | undefined;
  #sought: JsMsg | undefined;

  note(message: JsMsg): void {
    if (message.seq > (this.#received?.seq ?? 0)) this.#received = message;
  }

  /** The connection is lost: what arrives on the next one, before the stream is checked, proves nothing. */
  hold(): void {
    this.#sought ??= this.#received;
  }

  /** The stream was checked. `isReset`: its sequences begin anew. */
  release(isReset = false): void {
    this.#sought = undefined;
    if (isReset) this.#received = undefined;
  }

  get sequence(): number {
    return this.#message?.seq ?? 0;
  }

  /** Whether the stream has another message at this one's sequence. */
  async isReplaced(manager: JetStreamManager, stream: string): Promise<boolean> {
    const message = this.#message;
    if (!message) return false;
    const stored = await manager.streams.getMessage(stream, { seq: message.seq });
    return stored !== null && stored.time.getTime() !== Number(message.timestampNanos / 1_000_000n);
  }

  get #message(): JsMsg | undefined {
    return this.#sought ?? this.#received;
  }
}

/** How far a consumer is ahead of its stream: the sequences of the last message that it received and that the stream has. */
export interface Ahead {
  consumerSequence: number;
  streamSequence: number;
}

/**
 * Returns the positions of a consumer that has received messages which its stream does not have, or undefined: the stream was
 * restored from an older copy, or its end was lost. Such a consumer would skip new messages up to its own position.
 */
export async function aheadOfStream(
  manager: JetStreamManager,
  { stream, durable }: { stream: string; durable: string },
  newest: NewestMessage,
): Promise<Ahead | undefined> {
  // The consumer first: what is stored and delivered between the two requests must not make it seem ahead.
  const consumer = await manager.consumers.info(stream, durable);
  const { state } = await manager.streams.info(stream);
  const consumerSequence = Math.max(positionOf(consumer), newest.sequence);
  const ahead = consumerSequence > state.last_seq || (await newest.isReplaced(manager, stream));
  return ahead ? { consumerSequence, streamSequence: state.last_seq } : undefined;
}

const positionOf = ({ delivered, ack_floor }: ConsumerInfo): number =>
  Math.max(delivered.stream_seq, ack_floor.stream_seq);
