import type { SubjectFilter } from '../routing/subject.js';
import type { MessageStore } from '../store/message-store.js';
import type { Slot } from '../store/slot.js';
import type { AckState } from './ack-state.js';

/** What a consumer still has to give out: messages again, and messages for the first time. */
export class Backlog {
  /** Sequences to give out again, in order. */
  readonly again = new Set<number>();
  /** Messages to give out for the first time. */
  ahead = 0;

  constructor(
    private readonly state: AckState,
    private readonly store: MessageStore,
    private filter: SubjectFilter,
  ) {
    this.refilter(filter);
  }

  /** Messages that could be given out now. */
  get ready(): number {
    return this.ahead + this.again.size;
  }

  /** Takes another filter and counts anew. */
  refilter(filter: SubjectFilter): void {
    this.filter = filter;
    this.ahead = this.state.chosen.length + this.store.countFrom(filter, this.state.next);
    // Those not on disk yet are counted when they arrive there.
    for (const { subject } of this.store.slots(this.store.committedSeq + 1))
      if (filter.matches(subject.name)) this.ahead--;
  }

  /** A message of the filter is on disk. */
  arrived({ seq }: Slot): void {
    if (seq >= this.state.next) this.ahead++;
  }

  /** A message of the filter has left the stream. */
  removed({ seq }: Slot): void {
    const chosen = this.state.chosen.indexOf(seq);
    if (chosen >= 0) this.state.chosen.splice(chosen, 1);
    if (chosen >= 0 || seq >= this.state.next) this.ahead = Math.max(0, this.ahead - 1);
    this.again.delete(seq);
  }

  /** The next message to give out for the first time. */
  next(): Slot | undefined {
    const chosen = this.state.chosen[0];
    if (chosen !== undefined) return this.store.slot(chosen);
    const committed = this.store.committedSeq;
    const next = this.store.next(this.filter, this.state.next);
    if (next && next.seq <= committed) return next;
    // Nothing for this filter up to here, so the next search begins behind it.
    this.state.next = Math.max(this.state.next, committed + 1);
    return undefined;
  }
}
