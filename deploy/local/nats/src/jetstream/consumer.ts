import { statusHeader } from '../protocol/headers.js';
import type { Router, Subscriber } from '../routing/router.js';
import { SubjectFilter } from '../routing/subject.js';
import type { StoredMessage } from '../store/record.js';
import type { Slot } from '../store/slot.js';
import { AckState, type SavedState } from './ack-state.js';
import { AckTimer } from './ack-timer.js';
import type { Acknowledgement } from './acknowledgement.js';
import type { Advisories } from './advisories.js';
import { Backlog } from './backlog.js';
import { filtersOf, type ConsumerConfig } from './consumer-config.js';
import { IdleTimer } from './idle-timer.js';
import { PullQueue } from './pull-queue.js';
import { pullRequest, RefusedPull } from './pull-request.js';
import { Pump } from './pump.js';
import { startingState } from './starting-state.js';
import type { Stream } from './stream.js';

/** Dependencies of a consumer. */
export interface ConsumerContext {
  router: Router;
  advisories: Advisories;
  log(error: Error): void;
  /** Called when the state has changed and must be written. */
  changed(consumer: Consumer): void;
  /** Called when the consumer has been inactive for its threshold. */
  idle(consumer: Consumer): void;
}

/** A pull consumer. Delivers messages to pull requests and redelivers them until they are acknowledged. */
export class Consumer {
  filter: SubjectFilter;
  readonly #state: AckState;
  readonly #backlog: Backlog;
  readonly #queue: PullQueue;
  readonly #pump: Pump;
  readonly #ackTimer: AckTimer;
  readonly #idleTimer: IdleTimer;
  readonly #subscriber: Subscriber;
  /** Times of the last delivery and the last acknowledgement (Unix ms). */
  readonly #last: { delivery?: number; ack?: number } = {};

  /** Continues from `saved`, or starts according to its deliver policy. */
  constructor(
    readonly stream: Stream,
    readonly name: string,
    public config: ConsumerConfig,
    readonly created: string,
    private readonly context: ConsumerContext,
    saved?: SavedState,
  ) {
    this.filter = new SubjectFilter(filtersOf(config));
    this.#state = saved ? AckState.restore(saved) : startingState(config, this.filter, stream.store);
    this.#backlog = new Backlog(this.#state, stream.store, this.filter);
    this.#queue = new PullQueue(context.router, () => this.#heartbeat());
    this.#pump = new Pump(this.#queue, {
      next: () => this.#nextSlot(),
      deliver: (slot, now) => this.#deliver(slot, now),
      ready: () => this.#backlog.ready,
    });
    this.#ackTimer = new AckTimer(this.#state, (due) => this.#expired(due));
    this.#idleTimer = new IdleTimer(
      () => this.#isBusy(),
      () => context.idle(this),
    );
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream.config.name}.${name}`;
    this.#subscriber = { subject, deliver: (message) => this.#request(message.reply, message.payload) };
  }

  /** Starts serving pull requests. */
  listen(): void {
    const { store } = this.stream;
    for (const seq of [...this.#state.pending.keys()]) if (!store.slot(seq)) this.#settle(seq);
    this.context.router.add(this.#subscriber);
    this.#applyTimes();
  }

  /** Stops permanently. With `deleted`, waiting requests receive a status. */
  stop(deleted = false): void {
    this.context.router.remove(this.#subscriber);
    this.#pump.stop();
    this.#idleTimer.stop();
    this.#ackTimer.stop();
    if (deleted) this.#queue.clear('409 Consumer Deleted');
  }

  /**
   * Applies a validated configuration. The caller must detach the consumer from its stream first and attach it
   * afterwards.
   */
  update(config: ConsumerConfig): void {
    this.config = config;
    this.filter = new SubjectFilter(filtersOf(config));
    this.#backlog.refilter(this.filter);
    this.#applyTimes();
    this.#pump.runSoon();
  }

  /** Handles a matching message that is on disk. */
  arrived(slot: Slot): void {
    this.#backlog.arrived(slot);
    if (this.#queue.length > 0) this.#pump.runSoon();
  }

  /** Handles a matching message that was removed from the stream. */
  removed(slot: Slot): void {
    this.#backlog.removed(slot);
    if (!this.#complete(slot.seq)) return;
    this.#changed();
    this.#pump.runSoon();
  }

  /**
   * Returns whether a message is unacknowledged: not delivered yet, pending, or given up after its maximum deliveries.
   */
  needs(seq: number): boolean {
    const { pending, redelivered } = this.#state;
    return !this.#state.wasDelivered(seq) || pending.has(seq) || redelivered.has(seq);
  }

  save(): SavedState {
    return this.#state.save();
  }

  /** Applies an acknowledgement. */
  acknowledge(seq: number, acknowledgement: Acknowledgement, reply: string | undefined): void {
    this.#idleTimer.used();
    switch (acknowledgement.kind) {
      case 'ack':
        return this.#settle(seq);
      case 'next':
        this.#settle(seq);
        return this.#request(reply, acknowledgement.request);
      case 'nak':
        return this.#nak(seq, acknowledgement.delay);
      case 'progress':
        this.#ackTimer.restart(seq, Date.now());
        return this.#changed();
      case 'term':
        this.context.advisories.terminated(this, seq, this.#state, acknowledgement.reason);
        return this.#settle(seq);
    }
  }

  /** Returns the consumer info of the API. */
  info(): object {
    const now = Date.now();
    this.#queue.sweep(now, false);
    const { delivered, floor, pending, redelivered } = this.#state;
    const last = (at: number | undefined): object =>
      at === undefined ? {} : { last_active: new Date(at).toISOString() };
    return {
      stream_name: this.stream.config.name,
      name: this.name,
      created: this.created,
      config: this.config,
      delivered: { consumer_seq: delivered.consumer, stream_seq: delivered.stream, ...last(this.#last.delivery) },
      ack_floor: { consumer_seq: floor.consumer, stream_seq: floor.stream, ...last(this.#last.ack) },
      num_ack_pending: pending.size,
      num_redelivered: this.config.max_deliver === 1 ? 0 : redelivered.size,
      num_waiting: this.#queue.length,
      num_pending: Math.max(0, this.#backlog.ahead),
      ts: new Date(now).toISOString(),
    };
  }

  #applyTimes(): void {
    this.#ackTimer.configure(this.config);
    this.#ackTimer.check();
    this.#idleTimer.watch((this.config.inactive_threshold ?? 0) / 1e6);
  }

  /** Restarts the inactivity timer. Must be called if the deletion of the idle consumer fails. */
  restartIdleTimer(): void {
    this.#idleTimer.watch((this.config.inactive_threshold ?? 0) / 1e6);
  }

  #isBusy(): boolean {
    this.#queue.sweep(Date.now(), false);
    return this.#queue.length > 0 || this.#ackTimer.hasUnexpired;
  }

  /** Handles a MSG.NEXT request. */
  #request(reply: string | undefined, payload: Buffer): void {
    if (reply === undefined) return;
    this.#idleTimer.used();
    try {
      const now = Date.now();
      this.#queue.add(pullRequest(reply, payload, now), this.config, this.#backlog.ready, now);
    } catch (error) {
      if (!(error instanceof RefusedPull)) throw error;
      if (error.status !== undefined) this.#queue.send(reply, error.status);
    }
    this.#pump.runSoon();
  }

  /** Returns the next message to deliver, or 'full' if too many are pending. */
  #nextSlot(): Slot | 'full' | undefined {
    const { max_deliver: maxDeliver, max_ack_pending: maxPending, ack_policy: policy } = this.config;
    for (const seq of this.#backlog.redeliveries) {
      const slot = this.stream.store.slot(seq);
      if (!slot) this.#settle(seq);
      else if (maxDeliver > 0 && this.#state.deliveries(seq) >= maxDeliver) this.#giveUp(seq);
      else return slot;
    }
    if (policy === 'explicit' && maxPending > 0 && this.#state.pending.size >= maxPending) return 'full';
    return this.#backlog.next();
  }

  /** Delivers a message to a waiting request. Returns false if no request can take it. */
  #deliver(slot: Slot, now: number): boolean {
    const message = this.#read(slot);
    if (!message) return true;
    const again = this.#backlog.redeliveries.has(slot.seq);
    const deliveries = again ? this.#state.deliveries(slot.seq) + 1 : 1;
    const ahead = this.#backlog.ahead - (again ? 0 : 1);
    const reply = this.#ackSubject(slot, deliveries, ahead);
    const { subject, header, payload } = message;
    const request = this.#queue.take(subject.length + reply.length + (header?.length ?? 0) + payload.length, now);
    if (!request) return false;
    this.#backlog.ahead = ahead;
    this.#recordDelivery(slot.seq, again, now);
    this.context.router.publish({ subject, reply, header, payload }, undefined, request.reply);
    this.#queue.finish(request);
    if (this.config.ack_policy === 'none') this.stream.acknowledged(slot.seq);
    return true;
  }

  #recordDelivery(seq: number, again: boolean, now: number): void {
    const explicit = this.config.ack_policy === 'explicit';
    if (again) {
      this.#backlog.redeliveries.delete(seq);
      this.#state.redeliver(seq, now);
    } else {
      this.#state.deliver(seq, now, explicit);
    }
    if (explicit) this.#ackTimer.start(seq);
    this.#last.delivery = now;
    this.#idleTimer.used();
    this.#changed();
  }

  /**
   * Returns the reply subject of a delivery:
   * `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream sequence>.<consumer sequence>.<nanoseconds>.<ahead>`.
   * `deliveries` counts those of this message; `ahead` counts the messages still to be delivered for the first time.
   */
  #ackSubject({ seq, time }: Slot, deliveries: number, ahead: number): string {
    const delivery = this.#state.delivered.consumer + 1;
    return `$JS.ACK.${this.stream.config.name}.${this.name}.${deliveries}.${seq}.${delivery}.${time}000000.${ahead}`;
  }

  /** Returns a message. Removes and reports an unreadable one, so that delivery continues after it. */
  #read(slot: Slot): StoredMessage | undefined {
    try {
      return this.stream.store.read(slot);
    } catch (error) {
      this.context.log(error as Error);
      this.stream.remove(slot);
      return undefined;
    }
  }

  #settle(seq: number): void {
    const wasFull = this.#state.pending.size >= this.config.max_ack_pending;
    this.#backlog.redeliveries.delete(seq);
    if (!this.#complete(seq)) return;
    this.#last.ack = Date.now();
    this.#changed();
    this.stream.acknowledged(seq);
    if (wasFull) this.#pump.runSoon();
  }

  /** Removes a message from the state. Returns false if it was neither pending nor given up. */
  #complete(seq: number): boolean {
    const wasRedelivered = this.#state.redelivered.delete(seq);
    return this.#state.settle(seq) || wasRedelivered;
  }

  #nak(seq: number, delay: number | undefined): void {
    if (!this.#state.pending.has(seq)) return;
    this.context.advisories.refused(this, seq, this.#state);
    if (delay !== undefined) {
      this.#backlog.redeliveries.delete(seq);
      this.#ackTimer.postpone(seq, delay);
      return this.#changed();
    }
    this.#backlog.redeliveries.add(seq);
    this.#pump.runSoon();
  }

  /** Handles messages whose acknowledgement timed out. */
  #expired(seqs: number[]): void {
    const { max_deliver: max } = this.config;
    for (const seq of seqs) {
      if (max > 0 && this.#state.deliveries(seq) >= max) this.#giveUp(seq);
      else this.#backlog.redeliveries.add(seq);
    }
    this.#pump.runSoon();
  }

  /** Handles a message that reached its maximum deliveries. It stays in the stream and is reported once. */
  #giveUp(seq: number): void {
    const deliveries = this.#state.deliveries(seq);
    this.#backlog.redeliveries.delete(seq);
    this.#state.redelivered.set(seq, deliveries);
    this.#state.settle(seq);
    this.context.advisories.maxDeliveries(this, seq, deliveries);
    this.#changed();
  }

  #heartbeat(): Buffer {
    const { consumer, stream } = this.#state.delivered;
    return statusHeader('100 Idle Heartbeat', { 'Nats-Last-Consumer': consumer, 'Nats-Last-Stream': stream });
  }

  #changed(): void {
    this.context.changed(this);
  }
}
