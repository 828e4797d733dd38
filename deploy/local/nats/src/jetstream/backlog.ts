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
    return this.ahead + this.redeliveries.size;
  }

  /** Sets the filter and recounts. */
  refilter(filter: SubjectFilter): void {
    this.filter = filter;
    this.ahead = this.state.chosen.length + this.store.countFrom(filter, this.state.next);
    // Messages that are not on disk yet are counted later, by `arrived`.
    for (const { subject } of this.store.slots(this.store.committedSeq + 1))
      if (filter.matches(subject.name)) this.ahead--;
  }

  /** Counts a matching message that is now on disk. */
  arrived({ seq }: Slot): void {
    if (seq >= this.state.next) this.ahead++;
  }

  /** Stops counting a matching message that was removed from the stream. */
  removed({ seq }: Slot): void {
    const chosen = this.state.chosen.indexOf(seq);
    if (chosen >= 0) this.state.chosen.splice(chosen, 1);
    if (chosen >= 0 || seq >= this.state.next) this.ahead = Math.max(0, this.ahead - 1);
    this.redeliveries.delete(seq);
  }

  /** Returns the next message to deliver for the first time. */
  next(): Slot | undefined {
    const chosen = this.state.chosen[0];
    if (chosen !== undefined) return this.store.slot(chosen);
    const committed = this.store.committedSeq;
    const next = this.store.next(this.filter, this.state.next);
    if (next && next.seq <= committed) return next;
    // No match up to this sequence, so the next search starts after it.
    this.state.next = Math.max(this.state.next, committed + 1);
    return undefined;
  }
}
