import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { MongoError } from '../language/errors.js';
import { Changes } from './changes.js';
import { Deferred } from './deferred.js';
import { openFile, write, type File } from './file.js';
import { Journal, type Change, type Value } from './journal.js';
import { prefixOf, withoutChecksum } from './keys.js';
import { Snapshot } from './snapshot.js';

/** Free space at which writes are accepted again. */
const MIN_FREE_BYTES = 32 * 1024 * 1024;
const CHECK_SPACE_MS = 1_000;
const CLOSE_TIMEOUT_MS = 60_000;
/**
 * Changes are written to the file after this time, or when they reach this size. In a larger group, more changes share
 * a page, so that fewer pages are written.
 */
const CHECKPOINT_MS = 2_000;
const CHECKPOINT_BYTES = 16 * 1024 * 1024;

const identityKey = prefixOf('identity');

export interface DatabaseEvents {
  /** Called for a damaged record. Throws. */
  onDamage: (key: string) => never;
  /** Called after the database has discarded the changes that the journal could not store. */
  onLoss: () => void;
  /** Called when a write fails for a reason other than lack of space. */
  onFailure: (error: Error) => void;
  onWarning: (message: string) => void;
}

/**
 * Records in an LMDB file behind a journal. Changes are visible immediately, durable when the journal has them, and
 * written to the file in larger groups, as a checkpoint.
 */
export class Database {
  readonly latest: Snapshot;
  /**
   * Version up to which `latest` sees changes. A property of `View` (`snapshot.ts`), through which `latest` reads this
   * database.
   */
  readonly at = Infinity;
  /** Increases with each change, and when changes are lost. */
  version = 0;
  /** Changes that are not in the file yet: the newest ones, then those that the next checkpoint writes. */
  layers: readonly Changes[] = [new Changes()];
  isFull = false;
  readonly events: DatabaseEvents;
  /** Changes not yet passed to the journal. */
  #group: Change[] = [];
  /** Resolves when the last group that was passed to the journal is durable. */
  #durable: Promise<void> = Promise.resolve();
  /** The newest version in the journal. */
  #journaled = 0;
  /** The newest version that the journal or a snapshot may need. */
  #kept = 0;
  /** The newest version of the next checkpoint. */
  #frozen = 0;
  #checkpointed = new Deferred();
  #checkpointing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #loss: { version: number; error: Error } | undefined;
  #isClosed = false;
  #journal!: Journal;

  private constructor(
    private readonly folder: string,
    private readonly file: File,
    onWarning: (message: string) => void,
  ) {
    const fail = (problem: unknown): never => {
      throw new Error(`${folder} cannot be used: ${String(problem)}`);
    };
    this.events = { onDamage: fail, onLoss: () => undefined, onFailure: fail, onWarning };
    this.latest = new Snapshot(file, this.events, this);
  }

  /** Opens the files in a folder, and creates them if missing. Rejects if they cannot be used. */
  static async open(folder: string, onWarning: (message: string) => void, repair: boolean): Promise<Database> {
    const file = openFile(join(folder, 'data.mdb'));
    const database = new Database(folder, file, onWarning);
    try {
      await database.#openJournal(repair);
      return database;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Size of the changes that are not in the file yet, in bytes. */
  get backlog(): number {
    return this.layers.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * The `changeCount` of `latest`, as required by `View`. Equals the version, because `latest` sees every change and
   * each change increases the version.
   */
  get changeCount(): number {
    return this.version;
  }

  /** Stores a record, or removes it (null). The bytes must not be changed afterwards. */
  set(key: string, value: Value): void {
    this.version += 1;
    this.#group.push([key, value]);
    this.layers[0]!.set(key, value, this.version, this.#kept);
  }

  /** Returns a snapshot of the current state with the reader's `own` changes on top. The reader must close it. */
  snapshot(own: Changes): Snapshot {
    this.#kept = this.version;
    const view = new SnapshotView([own, ...this.layers], this.version);
    return new Snapshot(this.file, this.events, view, this.file.useReadTransaction());
  }

  /**
   * Resolves when all changes until now are durable. Rejects if they are lost: with OutOfDiskSpace if the disk is full.
   */
  durable(): Promise<void> {
    if (this.#group.length > 0) {
      this.#durable = this.#append(this.#group);
      this.#durable.catch(() => undefined);
    }
    return this.#durable;
  }

  /**
   * Resolves after the next checkpoint, or immediately if the file has all changes. Rejects if the checkpoint fails, or
   * if changes, possibly those of the caller, are lost before it: with OutOfDiskSpace if the disk is full.
   */
  checkpointed(): Promise<void> {
    if (this.layers.length === 1 && this.layers[0]!.size === 0) return Promise.resolve();
    const { promise } = this.#checkpointed;
    this.#freeze();
    return promise;
  }

  async close(): Promise<void> {
    await this.durable().catch(() => undefined);
    while (this.backlog > 0 && !this.isFull) await this.checkpointed().catch(() => undefined);
    await this.#checkpointing;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (!this.isFull) await this.#journal.compact([]).catch(() => undefined);
    // After a failed commit, lmdb waits for a flush that never happens.
    const timeout = setTimeout(this.isFull ? 0 : CLOSE_TIMEOUT_MS, undefined, { ref: false });
    await Promise.all([this.#journal.close().catch(() => undefined), Promise.race([this.file.close(), timeout])]);
  }

  async #openJournal(repair: boolean): Promise<void> {
    const value = this.file.getBinary(identityKey);
    const identity = value && withoutChecksum(identityKey, value)?.toString('latin1');
    const onChange = ([key, changed]: Change): void => this.set(key, changed);
    const { onWarning } = this.events;
    this.#journal = await Journal.open(this.folder, { identity, onChange, onWarning, repair });
    if (!identity) await write(this.file, [[identityKey, Buffer.from(this.#journal.identity, 'latin1')]]).flushed;
    this.#group = [];
    this.#journaled = this.#kept = this.version;
    this.#freeze();
  }

  async #append(group: readonly Change[]): Promise<void> {
    const { version } = this;
    this.#group = [];
    this.#kept = version;
    this.#schedule();
    try {
      await this.#journal.append(group);
      this.#journaled = version;
      this.#checkpoint();
    } catch (error) {
      throw this.#afterLoss(error as Error, version);
    }
  }

  #schedule(): void {
    const { bytes, size } = this.layers[0]!;
    if (bytes > CHECKPOINT_BYTES) this.#freeze();
    else if (size > 0) this.#timer ??= setTimer(() => this.#freeze(), CHECKPOINT_MS).unref();
  }

  /**
   * Starts a checkpoint of all changes made until now, once the journal has them, unless another checkpoint is in
   * progress.
   */
  #freeze(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.durable();
    if (this.layers.length === 1 && this.layers[0]!.size > 0) {
      this.layers = [new Changes(), ...this.layers];
      this.#frozen = this.version;
    }
    this.#checkpoint();
  }

  #checkpoint(): void {
    const [, frozen] = this.layers;
    if (frozen && this.#frozen <= this.#journaled) this.#checkpointing ??= this.#write(frozen);
  }

  async #write(frozen: Changes): Promise<void> {
    try {
      const { committed, flushed } = write(this.file, frozen.entries(Infinity));
      await committed;
      this.layers = this.layers.slice(0, 1);
      this.#checkpointed.resolve();
      this.#checkpointed = new Deferred();
      await flushed;
      if (this.#journal.needsCompaction) await this.#compactJournal();
      this.#checkpointing = undefined;
      this.#schedule();
      this.#checkpoint();
    } catch (error) {
      this.#checkpointing = undefined;
      this.#rejectCheckpoint(this.#afterFailure(error as Error));
    }
  }

  #rejectCheckpoint(error: Error): void {
    this.#checkpointed.reject(error);
    this.#checkpointed = new Deferred();
  }

  /** Replaces the journal with the changes that are not in the file yet. */
  #compactJournal(): Promise<void> {
    void this.durable();
    return this.#journal.compact(this.layers.toReversed().flatMap((layer) => layer.entries(Infinity)));
  }

  /** Drops all changes that are not in the journal, after it failed to append those up to `version`. */
  #afterLoss(cause: Error, version: number): Error {
    if (this.#loss && version <= this.#loss.version) return this.#loss.error;
    const error = this.#afterFailure(cause);
    this.#loss = { version: this.version, error };
    for (const layer of this.layers) layer.revert(this.#journaled);
    this.#frozen = Math.min(this.#frozen, this.#journaled);
    this.#group = [];
    // The journal has all remaining changes.
    this.#journaled = this.version += 1;
    this.#rejectCheckpoint(error);
    this.events.onLoss();
    return error;
  }

  /** Returns the error to report for a failed write. If the disk is full, rejects writes until there is space. */
  #afterFailure(cause: Error): Error {
    if (!this.#isOutOfSpace(cause)) {
      this.events.onFailure(cause);
      return cause;
    }
    if (!this.isFull) void this.#waitForSpace();
    return outOfSpace();
  }

  /**
   * Whether a write failed because the disk is full. After a partial write, the journal reports ENOSPC, but LMDB
   * reports EIO. The error of a flush that timed out has no code.
   */
  #isOutOfSpace(error: Error): boolean {
    const { code } = (error.cause ?? error) as { code?: number | string };
    const { ENOSPC, EDQUOT, EIO } = constants.errno;
    if (['ENOSPC', 'EDQUOT', ENOSPC, EDQUOT].includes(code ?? '')) return true;
    return (code === undefined || code === EIO) && !this.#hasSpace();
  }

  #hasSpace(): boolean {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize >= MIN_FREE_BYTES;
  }

  async #waitForSpace(): Promise<void> {
    this.isFull = true;
    this.events.onWarning(`no space left on ${this.folder}: writes are rejected until space is freed`);
    do {
      await setTimeout(CHECK_SPACE_MS, undefined, { ref: false });
      if (this.#isClosed) return;
    } while (!this.#hasSpace() || (await this.#journal.recover().catch((error: unknown) => error)));
    this.isFull = false;
    this.#durable = Promise.resolve();
    this.events.onWarning(`${this.folder} has free space again: writes are accepted`);
    this.#freeze();
  }
}

/** The changes that a snapshot sees: those of its reader, and all that were made before the snapshot. */
class SnapshotView {
  constructor(
    readonly layers: readonly Changes[],
    readonly at: number,
  ) {}

  get changeCount(): number {
    return this.layers[0]!.changeCount;
  }
}

export const outOfSpace = (): MongoError =>
  new MongoError('OutOfDiskSpace', 'no space left on the disk: writes are rejected until space is freed');
