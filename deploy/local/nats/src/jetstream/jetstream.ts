import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message, Router } from '../routing/router.js';
import { MetaLog, type StreamEntry } from '../store/meta-log.js';
import { clearStrays } from '../store/strays.js';
import { passedBy, type SavedState } from './ack-state.js';
import { parseAcknowledgement, parseAckSubject } from './acknowledgement.js';
import { Advisories } from './advisories.js';
import type { ConsumerConfig } from './consumer-config.js';
import { Consumer, type ConsumerContext } from './consumer.js';
import { JetStreamError } from './errors.js';
import type { StreamConfig } from './stream-config.js';
import { Stream } from './stream.js';

/** Maximum time in ms before consumer progress is written. An acknowledgement lost in a crash causes a redelivery. */
const flushEvery = 250;

interface StreamRecord {
  config: StreamConfig;
  created: string;
}

interface ConsumerRecord {
  config: ConsumerConfig;
  created: string;
}

/** Streams and consumers with their persistent state. */
export class JetStream {
  readonly streams = new Map<string, Stream>();
  readonly #dirty = new Set<Consumer>();
  readonly #context: ConsumerContext;
  #flusher: NodeJS.Timeout | undefined;
  #flushed: Promise<void> = Promise.resolve();
  #closing = false;

  private constructor(
    private readonly folder: string,
    private readonly meta: MetaLog,
    private readonly router: Router,
    private readonly log: (error: Error) => void,
    private readonly repair: boolean,
  ) {
    this.#context = {
      router,
      log,
      advisories: new Advisories(router),
      changed: (consumer) => this.#changed(consumer),
      idle: (consumer) =>
        void this.deleteConsumer(consumer).catch((error: Error) => {
          log(error);
          consumer.restartIdleTimer();
        }),
    };
  }

  /**
   * Opens the data folder. `log` receives failures that no client sees. Throws DamagedLogError if a file is corrupt
   * in the middle, unless `repair` is set.
   */
  static async open(folder: string, router: Router, log: (error: Error) => void, repair = false): Promise<JetStream> {
    await mkdir(join(folder, 'streams'), { recursive: true, mode: 0o700 });
    const meta = await MetaLog.open(join(folder, 'meta.log'), log, repair);
    const jetStream = new JetStream(folder, meta, router, log, repair);
    await clearStrays(folder, meta, log);
    for (const [id, entry] of meta.streams) await jetStream.#restore(id, entry);
    router.add({ subject: '$JS.ACK.>', deliver: (message) => jetStream.#acknowledge(message) });
    return jetStream;
  }

  /** Returns the stream called `name`. Throws `streamNotFound`. */
  stream(name: string): Stream {
    const stream = this.streams.get(name);
    if (!stream) throw new JetStreamError('streamNotFound');
    return stream;
  }

  /** Creates a stream with a validated configuration. Resolves when it is on disk. */
  async createStream(config: StreamConfig): Promise<Stream> {
    const id = this.meta.lastId + 1;
    const record = { config, created: new Date().toISOString() };
    const stream = await this.#open(id, record);
    try {
      await this.meta.write({ kind: 'stream', id, stream: record });
    } catch (error) {
      await stream.destroy();
      throw error;
    }
    this.streams.set(config.name, stream);
    stream.listen();
    return stream;
  }

  /** Applies a checked configuration; resolves when it is on disk. */
  async updateStream(stream: Stream, config: StreamConfig): Promise<void> {
    const record: StreamRecord = { config, created: stream.created };
    await this.meta.write({ kind: 'stream', id: stream.id, stream: record });
    stream.update(config);
  }

  /** Deletes a stream with its messages and consumers. Waiting pull requests receive a status. */
  async deleteStream(stream: Stream): Promise<void> {
    await this.meta.write({ kind: 'streamGone', id: stream.id });
    this.streams.delete(stream.config.name);
    for (const consumer of stream.consumers.values()) this.#drop(consumer);
    await stream.destroy();
    this.meta.deleted.delete(stream.id);
  }

  /** Creates a consumer with a validated configuration. Resolves when it is on disk. */
  async createConsumer(stream: Stream, name: string, config: ConsumerConfig): Promise<Consumer> {
    const created = new Date().toISOString();
    const consumer = new Consumer(stream, name, config, created, this.#context);
    stream.attach(consumer);
    try {
      await this.meta.write(
        { kind: 'consumer', id: stream.id, name, consumer: { config, created } },
        { kind: 'state', id: stream.id, name, state: consumer.save() },
      );
    } catch (error) {
      stream.detach(consumer);
      stream.removeUnneeded();
      throw error;
    }
    consumer.listen();
    return consumer;
  }

  /** Applies a checked configuration; resolves when it is on disk. */
  async updateConsumer(consumer: Consumer, config: ConsumerConfig): Promise<void> {
    const { stream, name, created } = consumer;
    await this.meta.write({ kind: 'consumer', id: stream.id, name, consumer: { config, created } });
    stream.detach(consumer);
    consumer.update(config);
    stream.attach(consumer);
    stream.removeUnneeded();
  }

  async deleteConsumer(consumer: Consumer): Promise<void> {
    const { stream, name } = consumer;
    if (stream.consumers.get(name) !== consumer) return;
    await this.meta.write({ kind: 'consumerGone', id: stream.id, name });
    if (stream.consumers.get(name) !== consumer) return;
    stream.detach(consumer);
    this.#drop(consumer);
    stream.removeUnneeded();
  }

  /** Writes the progress of consumers. Resolves when it is on disk. The next flush repeats a failed write. */
  flush(): Promise<void> {
    clearTimeout(this.#flusher);
    this.#flusher = undefined;
    if (this.#dirty.size === 0) return this.#flushed;
    const dirty = [...this.#dirty];
    const states = dirty.map((consumer) => {
      const { stream, name } = consumer;
      return { kind: 'state', id: stream.id, name, state: consumer.save() } as const;
    });
    this.#dirty.clear();
    const flushed = (this.#flushed = this.meta.write(...states));
    flushed.catch((error: Error) => {
      if (this.#flushed === flushed) this.#flushed = Promise.resolve();
      this.log(error);
      for (const consumer of dirty) this.#changed(consumer);
    });
    return flushed;
  }

  /** Flushes all state and closes the files. If a step fails, the others are still executed. */
  async close(): Promise<void> {
    this.#closing = true;
    const streams = await Promise.allSettled([...this.streams.values()].map((stream) => stream.close()));
    const [flushed] = await Promise.allSettled([this.flush()]);
    const [closed] = await Promise.allSettled([this.meta.close()]);
    for (const result of [...streams, flushed, closed]) if (result.status === 'rejected') throw result.reason;
  }

  async #restore(id: number, { stream: stored, consumers }: StreamEntry): Promise<void> {
    const stream = await this.#open(id, stored as StreamRecord);
    this.streams.set(stream.config.name, stream);
    // The end of a stream's file can be lost. If new messages reused the lost sequences, consumers would skip them.
    const passed = [...consumers.values()].map(({ consumer, state }) =>
      state ? passedBy(state as SavedState, (consumer as ConsumerRecord).config.opt_start_seq) : 0,
    );
    await stream.store.skipTo(Math.max(0, ...passed));
    for (const [name, { consumer: record, state }] of consumers) {
      const { config, created } = record as ConsumerRecord;
      const consumer = new Consumer(stream, name, config, created, this.#context, state as SavedState | undefined);
      stream.attach(consumer);
      consumer.listen();
    }
    // A crash after an acknowledgement was written may have prevented the removal of its message.
    stream.removeUnneeded();
    stream.listen();
  }

  #open(id: number, record: StreamRecord): Promise<Stream> {
    return Stream.open({ id, ...record }, this.#folderOf(id), this.router, this.log, this.repair);
  }

  #folderOf(id: number): string {
    return join(this.folder, 'streams', String(id));
  }

  #drop(consumer: Consumer): void {
    consumer.stop(true);
    this.#dirty.delete(consumer);
  }

  #changed(consumer: Consumer): void {
    if (consumer.stream.consumers.get(consumer.name) !== consumer) return;
    this.#dirty.add(consumer);
    if (this.#closing) return;
    this.#flusher ??= setTimeout(() => void this.flush().catch(() => undefined), flushEvery);
  }

  /** Applies an acknowledgement. */
  #acknowledge({ subject, reply, payload }: Message): void {
    const delivery = parseAckSubject(subject);
    const acknowledgement = parseAcknowledgement(payload);
    const consumer = delivery && this.streams.get(delivery.stream)?.consumers.get(delivery.consumer);
    if (!consumer || !acknowledgement) return;
    consumer.acknowledge(delivery.seq, acknowledgement, reply);
    if (reply === undefined || acknowledgement.kind === 'next') return;
    // A requested confirmation is sent when the acknowledgement is durable.
    const confirm = (): boolean => this.router.publish({ subject: reply, payload: Buffer.alloc(0) });
    this.flush().then(confirm, () => undefined);
  }
}
