/** A place in the consumer's deliveries and in the stream. */
export interface Position {
  consumer: number;
  stream: number;
}

export interface Pending {
  /** Which delivery of the consumer it was first. */
  delivery: number;
  /** Since when, in milliseconds since the epoch, the consumer has had it. */
  since: number;
}

/** What is written down of a consumer. */
export interface SavedState {
  delivered: Position;
  floor: Position;
  /** [sequence, delivery, since] */
  pending: [number, number, number][];
  /** [sequence, redeliveries] */
  redelivered: [number, number][];
  /** Sequences still to deliver before going on behind `delivered` (last_per_subject). */
  chosen: number[];
  /** Where to go on in the stream. */
  next: number;
}

/**
 * Returns the last sequence of the stream that a consumer has passed. One that has not begun yet may wait for a sequence
 * that the stream has still to reach, its `start`.
 */
export function passedBy({ delivered, next }: SavedState, start = 0): number {
  return delivered.consumer === 0 && next === start ? 0 : next - 1;
}

/** Which messages a consumer has been given and which it has acknowledged. */
export class AckState {
  delivered: Position = { consumer: 0, stream: 0 };
  /** Everything up to here is acknowledged. */
  floor: Position = { consumer: 0, stream: 0 };
  /** Given out and not acknowledged, by sequence, in order of delivery. */
  readonly pending = new Map<number, Pending>();
  /** How often a message was given out beyond the first time. */
  readonly redelivered = new Map<number, number>();
  /** The next sequence to look at. */
  next = 1;
  /** Sequences to deliver before that, oldest first. */
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

  /** Begins at a sequence of the stream. */
  start(seq: number, chosen: number[] = []): void {
    this.next = seq;
    this.chosen = chosen;
    this.delivered.stream = this.floor.stream = (chosen[0] ?? seq) - 1;
  }

  /** True for a message that has been given out at some time. */
  wasDelivered(seq: number): boolean {
    return seq < this.next && !this.chosen.includes(seq);
  }

  /** How often the message has been given out. */
  deliveries(seq: number): number {
    return (this.redelivered.get(seq) ?? 0) + 1;
  }

  /** Notes a first delivery. Without acknowledgement it is done with at once. */
  deliver(seq: number, now: number, explicit: boolean): void {
    if (this.chosen[0] === seq) this.chosen.shift();
    else this.next = seq + 1;
    this.delivered = { consumer: this.delivered.consumer + 1, stream: seq };
    if (explicit) this.pending.set(seq, { delivery: this.delivered.consumer, since: now });
    else this.floor = { ...this.delivered };
  }

  /** Notes a further delivery. */
  redeliver(seq: number, now: number): void {
    this.delivered.consumer++;
    this.redelivered.set(seq, this.deliveries(seq));
    const pending = this.pending.get(seq);
    if (pending) pending.since = now;
  }

  /** Takes a message from what is pending; answers false when it was not. */
  settle(seq: number): boolean {
    const pending = this.pending.get(seq);
    if (!pending) return false;
    this.pending.delete(seq);
    if (this.pending.size === 0)
      this.floor = { ...this.delivered, stream: Math.max(this.delivered.stream, this.next - 1) };
    else if (pending.delivery === this.floor.consumer + 1) this.#raiseFloor(pending.delivery, seq);
    return true;
  }

  /** The floor moves up to just below the oldest message that is pending. */
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
