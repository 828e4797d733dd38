import type { SubjectFilter } from '../routing/subject.js';
import type { MessageStore } from '../store/message-store.js';
import { AckState } from './ack-state.js';
import type { ConsumerConfig } from './consumer-config.js';

/** Returns the initial state of a new consumer, according to its deliver policy. */
export function startingState(config: ConsumerConfig, filter: SubjectFilter, store: MessageStore): AckState {
  const state = new AckState();
  if (config.deliver_policy === 'last_per_subject') {
    state.start(store.lastSeq + 1, lastPerSubject(filter, store));
  } else {
    // The start is not before the first message of the stream. It may be beyond the last one.
    state.start(Math.max(startingSeq(config, filter, store), store.firstSeq));
  }
  return state;
}

function startingSeq(config: ConsumerConfig, filter: SubjectFilter, store: MessageStore): number {
  switch (config.deliver_policy) {
    case 'last':
      return store.last(filter)?.seq ?? store.lastSeq + 1;
    case 'new':
      return store.lastSeq + 1;
    case 'by_start_sequence':
      return config.opt_start_seq ?? 1;
    case 'by_start_time':
      return seqAt(Date.parse(config.opt_start_time ?? ''), store);
    default:
      return store.firstSeq;
  }
}

function lastPerSubject(filter: SubjectFilter, store: MessageStore): number[] {
  return [...store.subjects.lasts(filter)].map(({ seq }) => seq).sort((a, b) => a - b);
}

/**
 * Returns the sequence of the first message stored at or after a time (Unix ms). If there is none, returns the sequence
 * that the next message will have.
 */
export function seqAt(time: number, store: MessageStore): number {
  for (const slot of store.slots()) if (slot.time >= time) return slot.seq;
  return store.lastSeq + 1;
}
