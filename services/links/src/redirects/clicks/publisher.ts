import { sleep, type Log } from '@tautan/kit';
import type { Bus } from '@tautan/kit/bus';
import { clickSubject } from '@tautan/proto';
import { clicksIn, type Batch } from './batch-builder.js';
import type { Segment } from './segment.js';
import type { Spill } from './spill.js';

interface Pending {
  batch: Batch;
  /** When the batch was added, by performance.now. */
  since: number;
  /** Time of the next attempt, by performance.now. */
  retryAt: number;
  tries: number;
  sending: boolean;
  /** The write to disk in progress, if any. */
  spilling: Promise<void> | undefined;
  /** The segment that contains the batch, if it is on disk. */
  segment: Segment | undefined;
}

const TICK_MS = 50;
/** If an acknowledgement takes longer, all batches are written to disk. */
const LATE_AFTER_MS = 100;
const MAX_SENDING = 64;
const MAX_PENDING = 2_000;
const MAX_PENDING_BYTES = 32 * 1024 * 1024;
const MAX_PENDING_FOR_READ_BACK = 1_000;
const DISK_RETRY_MS = 1_000;
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 3_000;

/**
 * Publishes batches until they are acknowledged, always with the same message id. While the bus is disconnected, or the
 * oldest batch has been unacknowledged for 100 ms, every batch is written to disk immediately, so that none is lost if
 * the process is killed. Batches beyond the memory limit are only on disk, and are read back when the bus accepts
 * batches again.
 */
export class ClickPublisher {
  readonly #pending = new Map<string, Pending>();
  readonly #ticker: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #bytes = 0;
  #sending = 0;
  #diskRetryAt = 0;
  #maintenance: Promise<void> | undefined;
  published = 0;
  /** Number of batches dropped because the bus and the disk were unavailable. */
  lost = 0;
  publishedClicks = 0;
  lostClicks = 0;

  constructor(
    private readonly bus: Bus,
    private readonly spill: Spill,
    private readonly log: Log,
  ) {
    this.#ticker = setInterval(() => this.#tick(), TICK_MS).unref();
    this.#unlisten = bus.onChange((connected) => {
      if (!connected) this.log.warn('bus unavailable: clicks are written to disk');
      for (const pending of this.#pending.values()) pending.retryAt = 0;
      this.#tick();
    });
  }

  /** Number of unacknowledged batches in memory. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Enqueues a batch. */
  submit(batch: Batch): void {
    const pending = this.#add(batch, undefined);
    const canSend = this.bus.connected && this.#sending < MAX_SENDING;
    if (!canSend || this.#isLate(performance.now())) void this.#spillBatch(pending);
    if (canSend) void this.#send(pending);
  }

  /** Waits for acknowledgements while the bus is available, at most `withinMs`, and leaves the rest on disk. */
  async stop(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (this.#pending.size > 0 && this.bus.connected && performance.now() < deadline) {
      await sleep(10);
      this.#tick();
    }
    clearInterval(this.#ticker);
    this.#unlisten();
    await this.#maintenance;
    this.#diskRetryAt = 0;
    await Promise.all(
      [...this.#pending.values()].filter(({ segment }) => !segment).map((each) => this.#spillBatch(each)),
    );
    const unspilled = [...this.#pending.values()].filter(({ segment }) => !segment);
    for (const { batch } of unspilled) this.#lose(batch);
    if (unspilled.length > 0)
      this.log.error({ batches: unspilled.length }, 'clicks lost: bus and disk are unavailable');
    await this.spill.close();
  }

  #add(batch: Batch, segment: Segment | undefined): Pending {
    const since = performance.now();
    const pending = { batch, since, retryAt: 0, tries: 0, sending: false, spilling: undefined, segment };
    this.#forget(batch.id);
    this.#pending.set(batch.id, pending);
    this.#bytes += batch.payload.length;
    return pending;
  }

  #forget(id: string): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    this.#bytes -= pending.batch.payload.length;
  }

  /** Whether the oldest batch has been unacknowledged for too long. */
  #isLate(now: number): boolean {
    for (const { since } of this.#pending.values()) return now - since >= LATE_AFTER_MS;
    return false;
  }

  #tick(): void {
    const now = performance.now();
    const { connected } = this.bus;
    const mustSpill = !connected || this.#isLate(now);
    for (const pending of this.#pending.values()) {
      if (mustSpill) void this.#spillBatch(pending);
      if (connected && this.#sending < MAX_SENDING && pending.retryAt <= now) void this.#send(pending);
    }
    this.#boundMemory();
    this.#maintenance ??= this.#maintain(connected).finally(() => (this.#maintenance = undefined));
  }

  async #send(pending: Pending): Promise<void> {
    if (pending.sending) return;
    pending.sending = true;
    this.#sending += 1;
    const { id, partition, payload, traces = [] } = pending.batch;
    try {
      await this.bus.publish(clickSubject(partition), payload, { id, traces });
      this.published += 1;
      this.publishedClicks += clicksIn(pending.batch);
      pending.segment?.acknowledge(id);
      // The same batch may have been read back from disk in the meantime.
      this.#pending.get(id)?.segment?.acknowledge(id);
      this.#forget(id);
    } catch (error) {
      pending.retryAt = performance.now() + Math.min(MIN_RETRY_MS * 2 ** pending.tries, MAX_RETRY_MS);
      pending.tries += 1;
      this.log.debug({ err: error, batch: id }, 'a batch of clicks was not acknowledged');
    } finally {
      pending.sending = false;
      this.#sending -= 1;
    }
  }

  /** Writes a batch to disk, unless it is already there or the disk failed recently. Never rejects. */
  async #spillBatch(pending: Pending): Promise<void> {
    if (pending.segment || (!pending.spilling && performance.now() < this.#diskRetryAt)) return;
    pending.spilling ??= this.#write(pending).finally(() => (pending.spilling = undefined));
    await pending.spilling;
  }

  async #write(pending: Pending): Promise<void> {
    try {
      pending.segment = await this.spill.append(pending.batch);
      // Acknowledged while it was being written.
      if (this.#pending.get(pending.batch.id) !== pending) pending.segment.acknowledge(pending.batch.id);
    } catch (error) {
      this.#diskRetryAt = performance.now() + DISK_RETRY_MS;
      this.log.error({ err: error }, 'clicks could not be written to disk');
    }
  }

  /** Bounds memory: evicts batches that are on disk. If there are none and the disk fails, drops the oldest batch. */
  #boundMemory(): void {
    while (this.#pending.size > MAX_PENDING || this.#bytes > MAX_PENDING_BYTES) {
      const segment = this.spill.oldestEvictable();
      if (segment) {
        for (const [id, pending] of this.#pending) if (pending.segment === segment) this.#forget(id);
        this.spill.evict(segment);
        continue;
      }
      const oldest = this.#oldestUnsent();
      if (!oldest || performance.now() >= this.#diskRetryAt) return;
      this.#forget(oldest.batch.id);
      this.#lose(oldest.batch);
    }
  }

  /** Returns the oldest batch that is not being sent. One that is being sent may still be published. */
  #oldestUnsent(): Pending | undefined {
    for (const pending of this.#pending.values()) if (!pending.sending) return pending;
    return undefined;
  }

  #lose(batch: Batch): void {
    this.lost += 1;
    this.lostClicks += clicksIn(batch);
  }

  /** Disk maintenance: removes acknowledged segments, and reads back batches that are only on disk. */
  async #maintain(connected: boolean): Promise<void> {
    try {
      await this.spill.tidy();
      if (!connected || this.#pending.size > MAX_PENDING_FOR_READ_BACK) return;
      const readBack = await this.spill.readBack();
      for (const batch of readBack?.batches ?? []) this.#add(batch, readBack!.segment);
    } catch (error) {
      this.log.error({ err: error }, 'maintenance of spilled clicks failed');
    }
  }
}
