import type { SubjectFilter } from '../routing/subject.js';
import type { MessageStore } from '../store/message-store.js';
import type { Slot } from '../store/slot.js';
import type { AckState } from './ack-state.js';

/** Messages that a consumer has to deliver or redeliver. */
export class Backlog {
  /** Sequences to redeliver, in order. */
  readonly redeliveries = new Set<number>();
  /** Number of messages to deliver for the first time. */
  ahead = 0;

  constructor(
    private readonly state: AckState,
    private readonly store: MessageStore,
    private filter: SubjectFilter,
  ) {
    this.refilter(filter);
  }

  /** Number of messages that can be delivered now. */
  get ready(): number {
    return Math.max(0, this.ahead) + this.redeliveries.size;
  }

  /** Sets the filter and recounts. */
  refilter(filter: SubjectFilter): void {
    const { state, store } = this;
    this.filter = filter;
    state.chosen = state.chosen.filter((seq) => store.slot(seq));
    const stored = state.chosen.filter((seq) => seq <= store.committedSeq);
    this.ahead = stored.length + store.countFrom(filter, state.next);
    // Messages that are not on disk yet are counted later, by `arrived`.
    for (const { subject } of store.slots(Math.max(store.committedSeq + 1, state.next)))
      if (filter.matches(subject.name)) this.ahead--;
  }

  /** Counts a matching message that is now on disk. */
  arrived({ seq }: Slot): void {
    const { chosen, next } = this.state;
    const isChosen = seq <= (chosen.at(-1) ?? 0) && chosen.includes(seq);
    if (isChosen || seq >= next) this.ahead++;
  }

  /** Stops counting a matching message that was removed from the stream. */
  removed({ seq }: Slot): void {
    const chosen = this.state.chosen.indexOf(seq);
    if (chosen >= 0) this.state.chosen.splice(chosen, 1);
    // `arrived` counts a message once it is on disk, even if it has been removed by then. A message that is removed
    // before it is on disk is therefore subtracted in advance, unless it was chosen: `arrived` does not count such a
    // message, because it is no longer in `chosen`.
    if (chosen >= 0 ? seq <= this.store.committedSeq : seq >= this.state.next) this.ahead--;
    this.redeliveries.delete(seq);
  }

  /** Returns the next message to deliver for the first time. */
  next(): Slot | undefined {
    const committed = this.store.committedSeq;
    for (const { chosen } = this.state; chosen[0] !== undefined; chosen.shift()) {
      const slot = this.store.slot(chosen[0]);
      // If a chosen message has no slot, its write has failed, so it is skipped.
      if (slot) return slot.seq <= committed ? slot : undefined;
    }
    const next = this.store.next(this.filter, this.state.next);
    if (next && next.seq <= committed) return next;
    // No message up to `committed` matches, so the next search starts after `committed`.
    this.state.next = Math.max(this.state.next, committed + 1);
    return undefined;
  }
}
