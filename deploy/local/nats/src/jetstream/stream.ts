import type { Message, Router, Subscriber } from '../routing/router.js';
import { SubjectTree } from '../routing/subject-tree.js';
import { parseHeaders } from '../protocol/headers.js';
import { MessageStore } from '../store/message-store.js';
import type { StoredMessage } from '../store/record.js';
import type { Slot } from '../store/slot.js';
import type { Consumer } from './consumer.js';
import { directGet } from './direct-get.js';
import { JetStreamError } from './errors.js';
import { MessageIds } from './message-ids.js';
import { checkExpectations, checkLimits, publishHeaders } from './publish.js';
import type { StreamConfig } from './stream-config.js';

const empty = Buffer.alloc(0);
const maxTimer = 2 ** 31 - 1;

/** A stream. Stores the messages of its subjects, enforces its limits and notifies its consumers. */
export class Stream {
  readonly consumers = new Map<string, Consumer>();
  readonly #listeners = new SubjectTree<Consumer>();
  readonly #subscribers: Subscriber[] = [];
  readonly #ids: MessageIds;
  #lastMsgId = '';
  #expiry: NodeJS.Timeout | undefined;

  private constructor(
    readonly id: number,
    public config: StreamConfig,
    readonly created: string,
    readonly store: MessageStore,
    ids: MessageIds,
    private readonly router: Router,
  ) {
    this.#ids = ids;
  }

  /**
   * Opens the stream's folder. `onError` receives failures that no caller waits for. Throws DamagedLogError if a file
   * is damaged in the middle, unless `repair` is set.
   */
  static async open(
    stream: { id: number; config: StreamConfig; created: string },
    folder: string,
    router: Router,
    onError: (error: Error) => void,
    repair: boolean,
  ): Promise<Stream> {
    const { id, config, created } = stream;
    const ids = new MessageIds(config.duplicate_window / 1e6);
    const horizon = Date.now() - ids.window;
    let last: StoredMessage | undefined;
    const note = (message: StoredMessage): void => {
      last = message;
      const msgId = message.time > horizon ? msgIdOf(message) : undefined;
      if (msgId) ids.add(msgId, message.seq, message.time);
    };
    const store = await MessageStore.open({ folder, firstSeq: config.first_seq, onMessage: note, onError, repair });
    const opened = new Stream(id, config, created, store, ids, router);
    if (last?.seq === store.lastSeq) opened.#lastMsgId = msgIdOf(last) ?? '';
    opened.#enforceAll();
    opened.#expire();
    return opened;
  }

  /** Starts accepting messages. */
  listen(): void {
    const deliver = (message: Message): void => this.#publish(message);
    this.#subscribers.push(...this.config.subjects.map((subject) => ({ subject, deliver })));
    this.#subscribers.push(...directGet(this, this.router));
    for (const subscriber of this.#subscribers) this.router.add(subscriber);
  }

  /** Stops accepting messages. */
  unlisten(): void {
    for (const subscriber of this.#subscribers.splice(0)) this.router.remove(subscriber);
  }

  /** Applies a validated configuration. */
  update(config: StreamConfig): void {
    this.unlisten();
    this.config = config;
    this.#ids.window = config.duplicate_window / 1e6;
    this.#enforceAll();
    this.#expire();
    if (this.consumers.size > 0) this.removeUnneeded();
    this.listen();
  }

  attach(consumer: Consumer): void {
    this.consumers.set(consumer.name, consumer);
    for (const subject of listensTo(consumer)) this.#listeners.add(subject, consumer);
  }

  /** Removes a consumer. Call `removeUnneeded` afterwards; in an update, only after attaching the consumer again. */
  detach(consumer: Consumer): void {
    this.consumers.delete(consumer.name);
    for (const subject of listensTo(consumer)) this.#listeners.delete(subject, consumer);
  }

  /** Removes a message that a consumer no longer needs, unless another one does, or the retention is `limits`. */
  acknowledged(seq: number): void {
    if (this.config.retention === 'limits') return;
    const slot = this.store.slot(seq);
    if (slot && !this.#isNeeded(slot)) this.remove(slot);
  }

  /** Removes the messages that no consumer needs. Does nothing if the retention is `limits`. */
  removeUnneeded(): void {
    if (this.config.retention === 'limits') return;
    for (const slot of [...this.store.slots()]) if (!this.#isNeeded(slot)) this.remove(slot);
  }

  /** Removes a message and notifies the consumers. See MessageStore.remove. */
  remove(slot: Slot): void {
    const { live } = slot;
    this.store.remove(slot);
    if (live) for (const consumer of this.#consumersOf(slot.subject.name)) consumer.removed(slot);
  }

  /** Removes all messages. Resolves when the removal is on disk. Rejects without an effect if the write fails. */
  async purge(): Promise<number> {
    const { store } = this;
    const purged = [...store.slots()];
    await store.recordFloor(store.lastSeq + 1);
    for (const slot of purged) this.remove(slot);
    return purged.length;
  }

  /**
   * Removes the given messages. Resolves when the removal is on disk. Rejects if a write fails: the messages whose
   * removal could not be written are then still live.
   */
  async removeAll(slots: readonly Slot[]): Promise<number> {
    const { recorded, error } = await this.store.recordRemovals(slots);
    for (const slot of recorded) this.remove(slot);
    if (error) throw error;
    return slots.length;
  }

  /** Stops everything and closes the files. */
  async close(): Promise<void> {
    this.#stop();
    await this.store.close();
  }

  /** Stops everything and deletes the files. */
  async destroy(): Promise<void> {
    this.#stop();
    await this.store.destroy();
  }

  #stop(): void {
    this.unlisten();
    clearTimeout(this.#expiry);
    for (const consumer of this.consumers.values()) consumer.stop();
  }

  /** Stores a published message and responds to the publisher. */
  #publish(message: Message): void {
    const headers = publishHeaders(message);
    try {
      checkExpectations(headers, message.subject, this.config, this.store);
      const msgId = headers.get('Nats-Msg-Id');
      const original = msgId ? this.#ids.find(msgId, Date.now()) : undefined;
      if (original) return this.#acknowledge(message, original.seq, original.stored, true);
      const expected = headers.get('Nats-Expected-Last-Msg-Id');
      if (expected && expected !== this.#lastMsgId) throw new JetStreamError('wrongLastMsgId', this.#lastMsgId);
      checkLimits(message, this.config, this.store);
      this.#store(message, msgId);
    } catch (error) {
      if (!(error instanceof JetStreamError)) throw error;
      this.#refuse(message, error);
    }
  }

  #store(message: Message, msgId: string | undefined): void {
    const wanted = this.config.retention !== 'interest' || this.#consumersOf(message.subject).size > 0;
    const { seq, stored } = wanted ? this.#append(message) : this.store.skip();
    this.#lastMsgId = msgId ?? '';
    if (msgId) this.#ids.add(msgId, seq, Date.now(), stored);
    this.#acknowledge(message, seq, stored, false);
  }

  #append({ subject, header, payload }: Message): { seq: number; stored: Promise<void> } {
    const { slot, stored } = this.store.append(subject, header, payload);
    return { seq: slot.seq, stored: stored.then(() => this.#committed(slot)) };
  }

  /** Handles a message that is on disk: makes it visible to consumers and enforces the limits. */
  #committed(slot: Slot): void {
    for (const consumer of this.#consumersOf(slot.subject.name)) consumer.arrived(slot);
    this.#enforce(slot);
    if (!this.#expiry) this.#expire();
  }

  #acknowledge({ reply }: Message, seq: number, stored: Promise<void>, duplicate: boolean): void {
    const answer = { stream: this.config.name, seq, ...(duplicate ? { duplicate } : {}) };
    stored.then(
      () => this.#answer(reply, answer),
      (error: Error) =>
        this.#refuse({ reply, subject: '', payload: empty }, new JetStreamError('storeFailed', error.message)),
    );
  }

  #refuse({ reply }: Message, { api }: JetStreamError): void {
    this.#answer(reply, { error: api, stream: this.config.name, seq: 0 });
  }

  #answer(reply: string | undefined, answer: object): void {
    if (reply === undefined || this.config.no_ack) return;
    this.router.publish({ subject: reply, payload: Buffer.from(JSON.stringify(answer)) });
  }

  #consumersOf(subject: string): Set<Consumer> {
    return new Set(this.#listeners.match(subject));
  }

  #isNeeded(slot: Slot): boolean {
    const consumers = [...this.#consumersOf(slot.subject.name)];
    // A work queue keeps a message that no consumer's filter matches.
    if (this.config.retention === 'workqueue' && consumers.length === 0) return true;
    return consumers.some((consumer) => consumer.needs(slot.seq));
  }

  /**
   * Removes the oldest messages beyond the limits. With `discard: new`, there are such messages only if a subject was
   * full or a limit was lowered.
   */
  #enforce({ subject }: Slot): void {
    const { max_msgs: messages, max_bytes: bytes, max_msgs_per_subject: perSubject } = this.config;
    while (perSubject > 0 && subject.live > perSubject) this.remove(subject.next(0)!);
    while ((messages > 0 && this.store.count > messages) || (bytes > 0 && this.store.bytes > bytes)) {
      const oldest = this.store.first;
      if (!oldest) return;
      this.remove(oldest);
    }
  }

  #enforceAll(): void {
    for (const subject of [...this.store.subjects.values()]) {
      const last = subject.last();
      if (last) this.#enforce(last);
    }
  }

  /** Removes messages older than `max_age` and schedules the next removal. */
  #expire(): void {
    clearTimeout(this.#expiry);
    this.#expiry = undefined;
    if (this.config.max_age === 0) return;
    const age = this.config.max_age / 1e6;
    for (;;) {
      const oldest = this.store.first;
      if (!oldest) return;
      const left = oldest.time + age - Date.now();
      if (left > 0) {
        this.#expiry = setTimeout(() => this.#expire(), Math.min(Math.ceil(left), maxTimer)).unref();
        return;
      }
      this.remove(oldest);
    }
  }
}

const msgIdOf = ({ header }: StoredMessage): string | undefined => header && parseHeaders(header).get('Nats-Msg-Id');

const listensTo = ({ filter }: Consumer): readonly string[] => (filter.subjects.length > 0 ? filter.subjects : ['>']);
