import { statusHeader } from '../protocol/headers.js';
import type { Router, Subscriber } from '../routing/router.js';
import { SubjectFilter } from '../routing/subject.js';
import type { StoredMessage } from '../store/record.js';
import type { Slot } from '../store/slot.js';
import { AckState, type SavedState } from './ack-state.js';
import type { Acknowledgement } from './acknowledgement.js';
import { AckTimer } from './ack-timer.js';
import type { Advisories } from './advisories.js';
import { filtersOf, type ConsumerConfig } from './consumer-config.js';
import { JetStreamError } from './errors.js';
import { PullQueue, pullRequest, type PullRequest } from './pull-queue.js';
import { startingState } from './starting-state.js';
import type { Stream } from './stream.js';

/** Messages given out in one go before other connections get their turn. */
const burst = 256;

/** What a consumer needs of the world around it. */
export interface ConsumerContext {
  router: Router;
  advisories: Advisories;
  log(error: Error): void;
  /** Called when there is something new to write down. */
  changed(consumer: Consumer): void;
  /** Called when nobody has used the consumer for its inactive threshold. */
  idle(consumer: Consumer): void;
}

/** A pull consumer: gives out its stream's messages to those who ask, and again until they are acknowledged. */
export class Consumer {
  filter: SubjectFilter;
  readonly #state: AckState;
  readonly #queue: PullQueue;
  readonly #ackTimer: AckTimer;
  readonly #subscriber: Subscriber;
  /** Sequences to give out again, in order. */
  readonly #again = new Set<number>();
  /** Messages of its filter that are still to be delivered a first time. */
  #ahead = 0;
  #pumping = false;
  #stopped = false;
  #sweeper: NodeJS.Timeout | undefined;
  #idler: NodeJS.Timeout | undefined;
  #lastUsed = Date.now();
  #lastDelivery: number | undefined;
  #lastAck: number | undefined;

  /** Goes on from `saved`, or begins where its deliver policy says. */
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
    this.#queue = new PullQueue(context.router);
    this.#ackTimer = new AckTimer(this.#state, (due) => this.#expired(due));
    this.#ackTimer.configure(config);
    this.#countAhead();
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream.config.name}.${name}`;
    this.#subscriber = { subject, deliver: (message) => this.#request(message.reply, message.payload) };
  }

  /** Begins to answer requests. */
  listen(): void {
    this.context.router.add(this.#subscriber);
    const { store } = this.stream;
    this.#state.chosen = this.#state.chosen.filter((seq) => store.slot(seq));
    for (const seq of [...this.#state.pending.keys()]) if (!store.slot(seq)) this.#settle(seq);
    this.#ackTimer.arm();
    this.#watchUse();
  }

  /** Stops for good. With `deleted` those who wait are told. */
  stop(deleted = false): void {
    this.#stopped = true;
    this.context.router.remove(this.#subscriber);
    clearTimeout(this.#sweeper);
    clearTimeout(this.#idler);
    this.#ackTimer.stop();
    if (deleted) this.#queue.clear('409 Consumer Deleted');
  }

  /** Applies a checked configuration; the stream must be told about a new filter. */
  update(config: ConsumerConfig): void {
    this.config = config;
    this.filter = new SubjectFilter(filtersOf(config));
    this.#countAhead();
    this.#ackTimer.configure(config);
    this.#ackTimer.arm();
    this.#watchUse();
    this.#pumpSoon();
  }

  /** A message of its filter is on disk. */
  arrived({ seq }: Slot): void {
    if (seq >= this.#state.next) this.#ahead++;
    if (this.#queue.length > 0) this.#pumpSoon();
  }

  /** A message of its filter has left the stream. */
  removed({ seq }: Slot): void {
    const chosen = this.#state.chosen.indexOf(seq);
    if (chosen >= 0) this.#state.chosen.splice(chosen, 1);
    if (chosen >= 0 || seq >= this.#state.next) this.#ahead = Math.max(0, this.#ahead - 1);
    this.#again.delete(seq);
    this.#state.redelivered.delete(seq);
    if (!this.#state.settle(seq)) return;
    this.#changed();
    this.#pumpSoon();
  }

  /** Whether a message still has to be delivered or acknowledged here; undeliverable ones are kept too. */
  needs(seq: number): boolean {
    const { pending, redelivered } = this.#state;
    return !this.#state.wasDelivered(seq) || pending.has(seq) || redelivered.has(seq);
  }

  save(): SavedState {
    return this.#state.save();
  }

  acknowledge(seq: number, said: Acknowledgement, reply: string | undefined): void {
    this.#lastUsed = Date.now();
    switch (said.kind) {
      case 'ack':
        return this.#settle(seq);
      case 'next':
        this.#settle(seq);
        return this.#request(reply, said.request);
      case 'nak':
        return this.#nak(seq, said.delay);
      case 'progress':
        this.#ackTimer.restart(seq, Date.now());
        return this.#changed();
      case 'term':
        this.context.advisories.terminated(this, seq, this.#state, said.reason);
        return this.#settle(seq);
    }
  }

  /** The consumer as the API shows it. */
  info(): object {
    const now = Date.now();
    this.#queue.sweep(now, false, () => this.#heartbeat());
    const { delivered, floor, pending, redelivered } = this.#state;
    const last = (at: number | undefined): object =>
      at === undefined ? {} : { last_active: new Date(at).toISOString() };
    return {
      stream_name: this.stream.config.name,
      name: this.name,
      created: this.created,
      config: this.config,
      delivered: { consumer_seq: delivered.consumer, stream_seq: delivered.stream, ...last(this.#lastDelivery) },
      ack_floor: { consumer_seq: floor.consumer, stream_seq: floor.stream, ...last(this.#lastAck) },
      num_ack_pending: pending.size,
      num_redelivered: this.config.max_deliver === 1 ? 0 : redelivered.size,
      num_waiting: this.#queue.length,
      num_pending: this.#ahead,
      ts: new Date(now).toISOString(),
    };
  }

  #countAhead(): void {
    const { store } = this.stream;
    this.#ahead = this.#state.chosen.length + store.countFrom(this.filter, this.#state.next);
    // Those not on disk yet are counted when they arrive there.
    for (const slot of store.slots(store.committedSeq + 1)) if (this.filter.matches(slot.subject.name)) this.#ahead--;
  }

  /** Takes one MSG.NEXT. */
  #request(reply: string | undefined, payload: Buffer): void {
    if (reply === undefined || this.#stopped) return;
    const now = (this.#lastUsed = Date.now());
    try {
      const request = pullRequest(reply, payload, now);
      const refusal = this.#refusal(request, now);
      if (refusal === undefined) this.#queue.add(request);
      else if (refusal !== '') this.#queue.send(reply, refusal);
    } catch (error) {
      const why = error instanceof JetStreamError ? error.api.description : (error as Error).message;
      this.#queue.send(reply, `400 Bad Request - ${why.replaceAll(/[\r\n]/g, ' ')}`);
    }
    this.#pumpSoon();
  }

  /** Why a request is not taken; '' when it is dropped without a word, undefined when it is taken. */
  #refusal(request: PullRequest, now: number): string | undefined {
    const { max_batch: batch, max_expires: expires, max_bytes: bytes, max_waiting: waiting } = this.config;
    if (batch && request.batch > batch) return `409 Exceeded MaxRequestBatch of ${batch}`;
    if (expires && request.expires > now + expires / 1e6) return `409 Exceeded MaxRequestExpires of ${expires / 1e6}ms`;
    if (bytes && request.bytes > bytes) return `409 Exceeded MaxRequestMaxBytes of ${bytes}`;
    const ready = this.#ahead + this.#again.size;
    if (request.noWait && ready === 0 && request.expires === 0) return '404 No Messages';
    if (this.#queue.length >= waiting) this.#queue.sweep(now, false, () => this.#heartbeat());
    if (request.noWait && ready > 0 && ready < this.#queue.wanted) return '408 Requests Pending';
    // One who is owed heartbeats notices their absence; telling it would make it ask again at once, and again.
    if (this.#queue.length >= waiting) return request.heartbeat > 0 ? '' : '409 Exceeded MaxWaiting';
    return undefined;
  }

  #pumpSoon(): void {
    if (this.#pumping || this.#stopped) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      if (!this.#stopped) this.#pump();
    });
  }

  /** Gives out messages while there are both messages and requests. */
  #pump(): void {
    const now = Date.now();
    let found: Slot | 'full' | undefined;
    for (let given = 0; this.#queue.length > 0; given++) {
      if (given === burst) return this.#pumpSoon();
      found = this.#nextSlot();
      if (found === undefined || found === 'full') break;
      if (!this.#deliver(found, now)) break;
    }
    this.#sweep(found === undefined);
  }

  /** The message to deliver next; 'full' when too many are out already. */
  #nextSlot(): Slot | 'full' | undefined {
    const { store } = this.stream;
    const { max_deliver: maxDeliver, max_ack_pending: maxPending } = this.config;
    for (const seq of this.#again) {
      const slot = store.slot(seq);
      if (!slot) this.#settle(seq);
      else if (maxDeliver > 0 && this.#state.deliveries(seq) >= maxDeliver) this.#giveUp(seq);
      else return slot;
    }
    if (this.config.ack_policy === 'explicit' && maxPending > 0 && this.#state.pending.size >= maxPending)
      return 'full';
    const chosen = this.#state.chosen[0];
    if (chosen !== undefined) return store.slot(chosen);
    const committed = store.committedSeq;
    const next = store.next(this.filter, this.#state.next);
    if (next && next.seq <= committed) return next;
    // Nothing for this filter up to here, so the next search begins behind it.
    this.#state.next = Math.max(this.#state.next, committed + 1);
    return undefined;
  }

  /** Hands one message to a waiting request; false when none can take it. */
  #deliver(slot: Slot, now: number): boolean {
    const again = this.#again.has(slot.seq);
    const message = this.#read(slot);
    if (!message) return true;
    const ahead = again ? this.#ahead : this.#ahead - 1;
    const deliveries = again ? this.#state.deliveries(slot.seq) + 1 : 1;
    const reply = this.#ackSubject(slot, deliveries, ahead);
    const { subject, header, payload } = message;
    const size = subject.length + reply.length + (header?.length ?? 0) + payload.length;
    const request = this.#queue.take(size, now);
    if (!request) return false;
    if (again) {
      this.#again.delete(slot.seq);
      this.#state.redeliver(slot.seq, now);
    } else {
      this.#state.deliver(slot.seq, now, this.config.ack_policy === 'explicit');
    }
    this.#ahead = ahead;
    this.context.router.publish({ subject, reply, header, payload }, undefined, request.reply);
    if (request.batch <= 0 && request.bytes > 0) this.#completed(request);
    this.#delivered(slot.seq, now);
    return true;
  }

  #delivered(seq: number, now: number): void {
    this.#lastDelivery = this.#lastUsed = now;
    if (this.config.ack_policy === 'explicit') this.#ackTimer.started(seq);
    else this.stream.acknowledged(seq);
    this.#changed();
  }

  #completed({ reply, bytes }: PullRequest): void {
    this.#queue.send(reply, '409 Batch Completed', { 'Nats-Pending-Messages': 0, 'Nats-Pending-Bytes': bytes });
  }

  /** `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<delivery>.<nanoseconds>.<messages ahead>` */
  #ackSubject({ seq, time }: Slot, deliveries: number, ahead: number): string {
    const delivery = this.#state.delivered.consumer + 1;
    return `$JS.ACK.${this.stream.config.name}.${this.name}.${deliveries}.${seq}.${delivery}.${time}000000.${ahead}`;
  }

  /** A message that cannot be read back is skipped, loudly: the stream goes on behind it. */
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
    this.#again.delete(seq);
    const wasFull = this.#state.pending.size >= this.config.max_ack_pending;
    this.#state.redelivered.delete(seq);
    if (!this.#state.settle(seq)) return;
    this.#lastAck = Date.now();
    this.#changed();
    this.stream.acknowledged(seq);
    if (wasFull) this.#pumpSoon();
  }

  #nak(seq: number, delay: number | undefined): void {
    if (!this.#state.pending.has(seq)) return;
    this.context.advisories.refused(this, seq, this.#state);
    if (delay !== undefined) {
      this.#again.delete(seq);
      this.#ackTimer.postpone(seq, delay);
      return this.#changed();
    }
    this.#again.add(seq);
    this.#pumpSoon();
  }

  /** The time to acknowledge these has passed. */
  #expired(seqs: number[]): void {
    const { max_deliver: max } = this.config;
    for (const seq of seqs) {
      if (max > 0 && this.#state.deliveries(seq) >= max) this.#giveUp(seq);
      else this.#again.add(seq);
    }
    this.#pumpSoon();
  }

  /** A message was delivered as often as it may be. It stays in the stream, and is told about once. */
  #giveUp(seq: number): void {
    const deliveries = this.#state.deliveries(seq);
    this.#again.delete(seq);
    this.#state.redelivered.set(seq, deliveries);
    this.#state.settle(seq);
    this.context.advisories.maxDeliveries(this, seq, deliveries);
    this.#changed();
  }

  #sweep(exhausted: boolean): void {
    const now = Date.now();
    const next = this.#queue.sweep(now, exhausted, () => this.#heartbeat());
    clearTimeout(this.#sweeper);
    if (next === undefined) return;
    this.#sweeper = setTimeout(() => this.#sweep(this.#ahead + this.#again.size === 0), Math.max(1, next - now));
  }

  #heartbeat(): Buffer {
    const { consumer, stream } = this.#state.delivered;
    return statusHeader('100 Idle Heartbeat', { 'Nats-Last-Consumer': consumer, 'Nats-Last-Stream': stream });
  }

  #changed(): void {
    this.context.changed(this);
  }

  /** Looks again and again whether anybody still uses the consumer, when it has an inactive threshold. */
  #watchUse(): void {
    clearTimeout(this.#idler);
    const threshold = (this.config.inactive_threshold ?? 0) / 1e6;
    if (threshold <= 0 || this.#stopped) return;
    const left = this.#lastUsed + threshold - Date.now();
    const look = (): void => {
      this.#queue.sweep(Date.now(), false, () => this.#heartbeat());
      const used = this.#queue.length > 0 || this.#ackTimer.watching || Date.now() - this.#lastUsed < threshold;
      if (used) this.#watchUse();
      else this.context.idle(this);
    };
    this.#idler = setTimeout(look, Math.min(left > 0 ? left : threshold, 2 ** 31 - 1)).unref();
  }
}
