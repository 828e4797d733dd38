/** A consumer sequence and a stream sequence. */
export interface Position {
  consumer: number;
  stream: number;
}

/** A message that was delivered and not acknowledged. */
export interface Pending {
  /** Consumer sequence of the first delivery. */
  delivery: number;
  /** Start of its timeout (Unix ms): the last delivery, unless the client changed it (`+WPI`, `-NAK`). */
  since: number;
}

/** Persistent state of a consumer. */
export interface SavedState {
  delivered: Position;
  floor: Position;
  /** [sequence, delivery, since] */
  pending: [number, number, number][];
  /** [sequence, redeliveries] */
  redelivered: [number, number][];
  /** Sequences to deliver before `next`, oldest first (`last_per_subject`). */
  chosen: number[];
  /** Next stream sequence to examine. */
  next: number;
}

/**
 * Returns the last stream sequence that a consumer has passed. Returns 0 for a consumer that still waits at `start`,
 * its configured start sequence, because that may be beyond the end of the stream.
 */
export function passedBy({ delivered, next }: SavedState, start = 0): number {
  return delivered.consumer === 0 && next === start ? 0 : next - 1;
}

/** Which messages a consumer has delivered, and which of these are acknowledged. */
export class AckState {
  delivered: Position = { consumer: 0, stream: 0 };
  /** All messages up to this position are acknowledged. */
  floor: Position = { consumer: 0, stream: 0 };
  /** Delivered and unacknowledged messages by sequence, in delivery order. */
  readonly pending = new Map<number, Pending>();
  /**
   * Number of redeliveries by sequence. For a message that reached `max_deliver` and is no longer pending: the
   * number of deliveries.
   */
  readonly redelivered = new Map<number, number>();
  /** Next stream sequence to examine. */
  next = 1;
  /** Sequences to deliver before `next`, oldest first (`last_per_subject`). */
  chosen: number[] = [];

  static restore(saved: SavedState): AckState {
    const state = new AckState();
    state.delivered = saved.delivered;
    state.floor = saved.floor;
    for (const [seq, delivery, since] of saved.pending) state.pending.set(seq, { delivery, since });
    for (const [seq, count] of saved.redelivered) state.redelivered.set(seq, count);
    state.chosen = saved.chosen;
    state.next = saved.next;
    return state;
  }

  save(): SavedState {
    return {
      delivered: { ...this.delivered },
      floor: { ...this.floor },
      pending: [...this.pending].map(([seq, { delivery, since }]) => [seq, delivery, since]),
      redelivered: [...this.redelivered],
      chosen: [...this.chosen],
      next: this.next,
    };
  }

  /** Sets the start: first the `chosen` sequences, then those from `seq`. */
  start(seq: number, chosen: number[] = []): void {
    this.next = seq;
    this.chosen = chosen;
    this.delivered.stream = this.floor.stream = (chosen[0] ?? seq) - 1;
  }

  /** Returns whether a message has been delivered or skipped. */
  wasDelivered(seq: number): boolean {
    return seq < this.next && !this.chosen.includes(seq);
  }

  /** Returns the number of deliveries of a pending message. */
  deliveries(seq: number): number {
    return (this.redelivered.get(seq) ?? 0) + 1;
  }

  /** Records a first delivery. Unless acknowledgements are `explicit`, the message is complete immediately. */
  deliver(seq: number, now: number, explicit: boolean): void {
    if (this.chosen[0] === seq) this.chosen.shift();
    else this.next = seq + 1;
    this.delivered = { consumer: this.delivered.consumer + 1, stream: seq };
    if (explicit) this.pending.set(seq, { delivery: this.delivered.consumer, since: now });
    else this.floor = { ...this.delivered };
  }

  /** Records a redelivery. */
  redeliver(seq: number, now: number): void {
    this.delivered.consumer++;
    this.redelivered.set(seq, this.deliveries(seq));
    const pending = this.pending.get(seq);
    if (pending) pending.since = now;
  }

  /** Removes a pending message. Returns false if it was not pending. */
  settle(seq: number): boolean {
    const pending = this.pending.get(seq);
    if (!pending) return false;
    this.pending.delete(seq);
    if (this.pending.size === 0)
      this.floor = { ...this.delivered, stream: Math.max(this.delivered.stream, this.next - 1) };
    else if (pending.delivery === this.floor.consumer + 1) this.#raiseFloor(pending.delivery, seq);
    return true;
  }

  /** Advances the floor to just below the oldest pending message. */
  #raiseFloor(delivery: number, seq: number): void {
    this.floor = { consumer: delivery, stream: seq };
    for (let above = seq + 1; above < this.next; above++) {
      const pending = this.pending.get(above);
      if (!pending) continue;
      this.floor = { consumer: pending.delivery - 1, stream: above - 1 };
      return;
    }
  }
}
