import { DeliverPolicy } from '@nats-io/jetstream';
import type { Bus } from '@tautan/kit/bus';
import { clickSubject, streams } from '@tautan/proto';
import type { PartitionBatch } from '../collect-additions.js';
import { readBatch } from '../read-batch.js';

/** Where to start reading the stream: at a time, or at a sequence number. */
export type Start = { time: Date } | { sequence: number };

/** A batch on the stream and its sequence number. */
export interface ClickMessage extends PartitionBatch {
  sequence: number;
}

const partitionAt = clickSubject(0).lastIndexOf('.') + 1;

/**
 * Yields the batches on the CLICKS stream from `start` to the current end of the stream. Skips invalid messages, as
 * they were never applied.
 */
export async function* clickMessages(bus: Bus, start: Start): AsyncIterable<ClickMessage> {
  const from =
    'time' in start
      ? { deliver_policy: DeliverPolicy.StartTime, opt_start_time: start.time.toISOString() }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start.sequence };
  const consumer = await bus.jetstream().consumers.get(streams.clicks.name, from);
  if ((await consumer.info()).num_pending === 0) return;
  const messages = await consumer.consume({ max_messages: 200 });
  try {
    for await (const { data, subject, seq: sequence, info } of messages) {
      const batch = validBatch(data);
      if (batch) yield { batch, partition: Number(subject.slice(partitionAt)), sequence };
      if (info.pending === 0) return;
    }
  } finally {
    await messages.close();
    await consumer.delete();
  }
}

function validBatch(payload: Uint8Array): PartitionBatch['batch'] | undefined {
  try {
    return readBatch(payload);
  } catch {
    return undefined;
  }
}

/** The state of the CLICKS stream. Times are Unix ms. */
export interface ClickStreamState {
  /** Sequence number of the first message, or of the next one if the stream is empty. */
  first: number;
  /** Time of the first message; the current time if the stream is empty. */
  firstAt: number;
  /** Sequence number of the last message. */
  last: number;
}

export async function clickStreamState(bus: Bus): Promise<ClickStreamState> {
  const manager = await bus.jetstream().jetstreamManager();
  const { state } = await manager.streams.info(streams.clicks.name);
  const { messages, first_seq: first, first_ts, last_seq: last } = state;
  // NATS returns the year 1 as the time of the first message of an empty stream.
  return { first, firstAt: messages === 0 ? Date.now() : Date.parse(first_ts), last };
}
