import type { SubjectFilter } from '../routing/subject.js';
import { SubjectLog, type Slot } from './slot.js';

/** The live messages of a stream by their subject. */
export class SubjectIndex {
  readonly #logs = new Map<string, SubjectLog>();

  get size(): number {
    return this.#logs.size;
  }

  get(name: string): SubjectLog | undefined {
    return this.#logs.get(name);
  }

  values(): IterableIterator<SubjectLog> {
    return this.#logs.values();
  }

  /** The log of a subject, made when there is none. */
  ensure(name: string): SubjectLog {
    let log = this.#logs.get(name);
    if (!log) this.#logs.set(name, (log = new SubjectLog(name)));
    return log;
  }

  /** Says that one of a subject's messages has just died. */
  removed(log: SubjectLog): void {
    log.removed();
    if (log.live === 0) this.#logs.delete(log.name);
  }

  /** The first live message of some subjects at or after `seq`. */
  next(literals: readonly string[], seq: number): Slot | undefined {
    let next: Slot | undefined;
    for (const literal of literals) {
      const slot = this.#logs.get(literal)?.next(seq);
      if (slot && (!next || slot.seq < next.seq)) next = slot;
    }
    return next;
  }

  /** The last live message of each subject that the filter takes. */
  *lasts(filter: SubjectFilter): Generator<Slot> {
    for (const log of this.#logs.values()) {
      const slot = filter.matches(log.name) ? log.last() : undefined;
      if (slot) yield slot;
    }
  }

  /** How many live messages the filter takes at or after `seq`. */
  countFrom(filter: SubjectFilter, seq: number): number {
    let count = 0;
    for (const log of this.#logs.values()) if (filter.matches(log.name)) count += log.countFrom(seq);
    return count;
  }
}
