import { LeaseWatch } from '@tautan/kit';
import { UNCLAIMED } from '../domain/qr-code.js';
import type { Unfinished } from '../store/qr-codes.js';

/**
 * Finds unfinished QR codes that no process works on: those whose claim was released, and those whose `dueAt` has not
 * changed for `leaseMs`, or for `abandonedMs` while they are being created. These durations are measured with a
 * monotonic clock. `dueAt` is not compared with any clock.
 */
export class UnclaimedWatch {
  readonly #changes: LeaseWatch;
  readonly #creations: LeaseWatch;

  constructor({ leaseMs, abandonedMs }: { leaseMs: number; abandonedMs: number }, monotonicMs?: () => number) {
    this.#changes = new LeaseWatch(leaseMs, monotonicMs);
    this.#creations = new LeaseWatch(abandonedMs, monotonicMs);
  }

  /** Returns the unclaimed QR codes. `unfinished` must contain all unfinished ones, and must have just been read. */
  unclaimed(unfinished: Unfinished[]): Unfinished[] {
    const [begun, others] = [true, false].map((isCreation) =>
      unfinished.filter(({ state }) => (state === 'begun') === isCreation),
    );
    const stale = new Map([...this.#creations.stale(beats(begun!)), ...this.#changes.stale(beats(others!))]);
    return unfinished.filter(({ _id, dueAt }) => dueAt.getTime() === UNCLAIMED.getTime() || stale.has(_id));
  }
}

/** Maps each code to its beat, a value that changes with every claim (see LeaseWatch). */
const beats = (codes: Unfinished[]) => new Map(codes.map(({ _id, dueAt }) => [_id, dueAt.getTime()]));
