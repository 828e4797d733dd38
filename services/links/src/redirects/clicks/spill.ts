import type { Log } from '@tautan/kit';
import { clicksIn, type Batch } from './batch-builder.js';
import { Segment } from './segment.js';
import type { SpillFolder } from './spill-folder.js';

const SEGMENT_BYTES = 8 * 1024 * 1024;
const SEGMENT_RECORDS = 500;

/** Codes of errors that mean that the process or system lacks resources, not that the file is unreadable. */
const TEMPORARY = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);
const isTemporary = (error: unknown): boolean => TEMPORARY.has((error as NodeJS.ErrnoException).code ?? '');

/**
 * Stores batches on disk, in segments. The batches of some segments are also in memory, including those of the current
 * segment, which receives new batches. The batches of the other segments are only on disk.
 */
export class Spill {
  #current: Segment | undefined;
  #opening: Promise<Segment> | undefined;
  readonly #inMemory = new Set<Segment>();
  /** In the order in which they will be read back. */
  readonly #onDiskOnly: Segment[] = [];
  #closed = false;
  /** Number of batches written. */
  spilled = 0;
  spilledClicks = 0;
  /** Number of files that could not be read completely. */
  readonly defective = { damaged: 0, unreadable: 0 };

  constructor(
    private readonly folder: SpillFolder,
    private readonly log: Log,
  ) {}

  /** Number of files on disk. */
  get segments(): number {
    return this.#inMemory.size + this.#onDiskOnly.length;
  }

  /**
   * Writes a batch. Resolves with its segment once the batch is on disk. Rejects if the disk fails, and after `close`.
   */
  async append(batch: Batch): Promise<Segment> {
    let segment = this.#current;
    // Concurrent appends that wait for the same new segment may fill it first.
    while (!segment || segment.sealed) {
      if (this.#closed) throw new Error('the spill is closed');
      segment = await this.#open();
    }
    try {
      const written = segment.append(batch);
      if (segment.bytes > SEGMENT_BYTES || segment.records >= SEGMENT_RECORDS) this.#seal(segment);
      await written;
      this.spilled += 1;
      this.spilledClicks += clicksIn(batch);
      return segment;
    } catch (error) {
      this.#seal(segment);
      throw error;
    }
  }

  /** Adds a file that this instance has adopted from a dead instance. */
  addAdoptedFile(path: string): void {
    this.#onDiskOnly.push(Segment.existing(path));
  }

  /** Returns the oldest segment whose batches can be evicted from memory: all are on disk, and not all acknowledged. */
  oldestEvictable(): Segment | undefined {
    for (const segment of this.#inMemory) if (segment.complete && !segment.settled) return segment;
    return undefined;
  }

  /** Marks a segment's batches as evicted from memory. */
  evict(segment: Segment): void {
    if (!this.#inMemory.delete(segment)) return;
    segment.evict();
    this.#onDiskOnly.push(segment);
  }

  /**
   * Reads the next segment that is only on disk. Returns undefined if there is none. Skips damaged parts of a file,
   * and files that cannot be read; such files are kept for inspection. Rejects if the process lacks file descriptors or
   * memory; the next call then reads the same segment again.
   */
  async readBack(): Promise<{ segment: Segment; batches: Batch[] } | undefined> {
    const segment = this.#onDiskOnly.shift();
    if (!segment) return undefined;
    const wasReported = segment.damage.length > 0;
    try {
      const batches = await segment.load();
      if (segment.damage.length > 0 && !wasReported) this.#reportDamage(segment, batches.length);
      this.#inMemory.add(segment);
      return { segment, batches };
    } catch (error) {
      if (isTemporary(error)) {
        this.#onDiskOnly.unshift(segment);
        throw error;
      }
      const keptAt = await this.folder.setAside(segment.path);
      this.defective.unreadable += 1;
      this.log.error({ err: error, path: segment.path, keptAt }, 'unreadable spill file set aside');
      return this.readBack();
    }
  }

  /** Deletes files whose batches are all acknowledged. Damaged files are set aside for inspection instead. */
  async tidy(): Promise<void> {
    for (const segment of this.#inMemory) {
      if (!segment.settled || (segment.records === 0 && !segment.sealed)) continue;
      this.#seal(segment);
      this.#inMemory.delete(segment);
      if (segment.damage.length > 0) await this.folder.setAside(segment.path);
      else await segment.remove();
    }
  }

  /** Closes the files and releases the folder. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#current = undefined;
    await this.tidy();
    for (const segment of this.#inMemory) await segment.seal();
    await this.folder.release();
  }

  #reportDamage({ path, damage }: Segment, batches: number): void {
    this.defective.damaged += 1;
    const message = 'damaged spill file: intact batches are published, then the file is set aside';
    this.log.error({ path, damage, batches }, message);
  }

  #open(): Promise<Segment> {
    this.#opening ??= (async () => {
      const segment = await Segment.create(await this.folder.newSegment());
      this.#inMemory.add(segment);
      this.#current = segment;
      return segment;
    })().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  #seal(segment: Segment): void {
    if (this.#current === segment) this.#current = undefined;
    void segment.seal();
  }
}
