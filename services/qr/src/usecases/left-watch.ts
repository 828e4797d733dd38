import { LeaseWatch } from '@tautan/kit';
import { LEFT } from '../domain/qr-code.js';
import type { Unfinished } from '../store/qr-codes.js';

/** Finds unfinished QR codes that nobody works on any more, without trusting the clock of whoever did. */
export class LeftWatch {
  readonly #changes: LeaseWatch;
  readonly #creations: LeaseWatch;

  constructor({ leaseMs, abandonedMs }: { leaseMs: number; abandonedMs: number }, monotonicMs?: () => number) {
    this.#changes = new LeaseWatch(leaseMs, monotonicMs);
    this.#creations = new LeaseWatch(abandonedMs, monotonicMs);
  }

  /** Returns those of all unfinished QR codes, as just read, that were left. */
  left(unfinished: Unfinished[]): Unfinished[] {
    const [begun, others] = [true, false].map((isCreation) =>
      unfinished.filter(({ state }) => (state === 'begun') === isCreation),
    );
    const stale = new Map([...this.#creations.stale(beats(begun!)), ...this.#changes.stale(beats(others!))]);
    return unfinished.filter(({ _id, dueAt }) => dueAt.getTime() === LEFT.getTime() || stale.has(_id));
  }
}

const beats = (codes: Unfinished[]) => new Map(codes.map(({ _id, dueAt }) => [_id, dueAt.getTime()]));
