import type { AckState } from './ack-state.js';
import type { ConsumerConfig } from './consumer-config.js';

/** Tracks the acknowledgement timeouts of delivered messages. */
export class AckTimer {
  /** Timeouts in ms by number of redeliveries. The last timeout applies to all further redeliveries. */
  #waits: number[] = [];
  #ackWait = 0;
  /** Expired messages that have been reported. Their timeouts are not checked until `start` is called again. */
  readonly #reported = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #firesAt = Infinity;

  constructor(
    private readonly state: AckState,
    private readonly onDue: (seqs: number[]) => void,
  ) {}

  /** Returns whether an unexpired message is pending. */
  get hasUnexpired(): boolean {
    for (const seq of this.state.pending.keys()) if (!this.#reported.has(seq)) return true;
    return false;
  }

  configure({ ack_wait: ackWait, backoff }: ConsumerConfig): void {
    this.#ackWait = ackWait / 1e6;
    this.#waits = backoff?.length ? backoff.map((wait) => wait / 1e6) : [this.#ackWait];
  }

  /** Starts the timeout of a delivered message. */
  start(seq: number): void {
    this.#reported.delete(seq);
    this.#fireBy(this.#dueAt(seq));
  }

  /** Restarts the timeout of a message. */
  restart(seq: number, now: number): void {
    const pending = this.state.pending.get(seq);
    if (pending) pending.since = now;
  }

  /**
   * Schedules a redelivery after `delay` ms. As in nats-server, the difference between the message's backoff step and
   * `ack_wait` is added to the delay.
   */
  postpone(seq: number, delay: number): void {
    const pending = this.state.pending.get(seq);
    if (!pending) return;
    pending.since = Date.now() - this.#ackWait + delay;
    this.start(seq);
  }

  /** Reports expired messages and schedules the next check. */
  check(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#firesAt = Infinity;
    const now = Date.now();
    const due: number[] = [];
    let next = Infinity;
    for (const seq of this.#reported) if (!this.state.pending.has(seq)) this.#reported.delete(seq);
    for (const seq of this.state.pending.keys()) {
      if (this.#reported.has(seq)) continue;
      const at = this.#dueAt(seq);
      if (at <= now) due.push(seq);
      else next = Math.min(next, at);
    }
    for (const seq of due) this.#reported.add(seq);
    this.#fireBy(next);
    if (due.length > 0) this.onDue(due.sort((a, b) => a - b));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #dueAt(seq: number): number {
    const { since = 0 } = this.state.pending.get(seq) ?? {};
    const times = this.state.redelivered.get(seq) ?? 0;
    return since + this.#waits[Math.min(times, this.#waits.length - 1)]!;
  }

  #fireBy(time: number): void {
    if (time >= this.#firesAt) return;
    clearTimeout(this.#timer);
    this.#firesAt = time;
    this.#timer = setTimeout(() => this.check(), Math.min(Math.max(1, time - Date.now()), 2 ** 31 - 1)).unref();
  }
}
