import type { SubjectFilter } from '../routing/subject.js';
import { SubjectLog, type Slot } from './slot.js';

/** Live messages of a stream by subject. */
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

  /** Returns the log of a subject. Creates it if necessary. */
  ensure(name: string): SubjectLog {
    let log = this.#logs.get(name);
    if (!log) this.#logs.set(name, (log = new SubjectLog(name)));
    return log;
  }

  /** Must be called after one of a subject's messages was removed. */
  removed(log: SubjectLog): void {
    log.removed();
    if (log.live === 0) this.#logs.delete(log.name);
  }

  /** Returns the first live message from `seq` that has one of these subjects. */
  next(literals: readonly string[], seq: number): Slot | undefined {
    let next: Slot | undefined;
    for (const literal of literals) {
      const slot = this.#logs.get(literal)?.next(seq);
      if (slot && (!next || slot.seq < next.seq)) next = slot;
    }
    return next;
  }

  /** Iterates over the last live message of each matching subject. */
  *lasts(filter: SubjectFilter): Generator<Slot> {
    for (const log of this.#logs.values()) {
      const slot = filter.matches(log.name) ? log.last() : undefined;
      if (slot) yield slot;
    }
  }

  /** Returns the number of live messages from `seq` that match a filter. */
  countFrom(filter: SubjectFilter, seq: number): number {
    let count = 0;
    for (const log of this.#logs.values()) if (filter.matches(log.name)) count += log.countFrom(seq);
    return count;
  }
}
