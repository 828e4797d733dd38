import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { MongoError } from '../language/errors.js';
import { Changes } from './changes.js';
import { Deferred } from './deferred.js';
import { openFile, type File } from './file.js';
import { withChecksum } from './keys.js';
import { MomentSnapshot } from './moment-snapshot.js';
import { Snapshot } from './snapshot.js';

/** Writes are accepted again when so much space is free. */
const ENOUGH_BYTES = 32 * 1024 * 1024;
const CHECK_SPACE_MS = 1_000;
/** A disk that takes longer is taken for failed. */
const FLUSH_TIMEOUT_MS = 60_000;

export interface DatabaseEvents {
  /** A record whose checksum does not match. */
  onDamage: (key: string) => never;
  /** Changes that were visible but not durable are gone: what was read from them must be read again. */
  onLoss: () => void;
  /** Nothing can be acknowledged from now on. */
  onFailure: (error: Error) => void;
  onWarning: (message: string) => void;
}

/**
 * Records in one LMDB file. What is written is visible at once and durable together with all that was written before; changes
 * that come while the file is being written to are the next commit.
 */
export class Database {
  readonly latest: Snapshot;
  /** Grows with every change. */
  version = 0;
  /** The changes that are not in the file yet, the newest first; the first takes the next ones. */
  layers: readonly Changes[] = [new Changes()];
  /** How many of them, the last ones, are being written. */
  #committing = 0;
  #isFlushing = false;
  #committed: Promise<void> = Promise.resolve();
  /** Of everything that is being written or was. */
  #flushed: Promise<void> = Promise.resolve();
  /** Of everything else. */
  #next = new Deferred();
  #isFull = false;

  private constructor(
    private readonly folder: string,
    private readonly file: File,
    private readonly events: DatabaseEvents,
  ) {
    this.latest = new LatestSnapshot(file, this, events);
  }

  /** Opens the file in the folder, made when it is missing. Throws when it cannot be used. */
  static open(folder: string, events: DatabaseEvents): Database {
    return new Database(folder, openFile(folder), events);
  }

  /** Whether the disk is full: then no write may begin. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Bytes of changes that the file does not hold yet. */
  get backlog(): number {
    return this.layers.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  put(key: string, bytes: Uint8Array): void {
    this.set(key, withChecksum(key, bytes));
  }

  /** Stores a value that has its checksum, or removes the record. */
  set(key: string, value: Buffer | null): void {
    this.version += 1;
    this.layers[0]!.set(key, value);
  }

  /** What is stored now, unchanged by later writes, below the `own` changes of its reader. It must be closed. */
  snapshot(own: Changes): MomentSnapshot {
    if (this.layers[0]!.size > 0) this.layers = [new Changes(), ...this.layers];
    return new MomentSnapshot(this.file, own, this.layers.slice(1), this.events.onDamage);
  }

  /** Resolves when everything written until now is durable. Rejects with OutOfDiskSpace when it is lost. */
  durable(): Promise<void> {
    if (!this.#hasNext) return this.#flushed;
    const { promise } = this.#next;
    this.#commit();
    return promise;
  }

  /** Resolves when the file has taken up the changes that are being written now. */
  committed(): Promise<void> {
    this.#commit();
    return this.#committed;
  }

  async close(): Promise<void> {
    await this.durable().catch(() => undefined);
    // After a failed commit it waits for a flush that never comes.
    await Promise.race([this.file.close(), setTimeout(this.#isFull ? 0 : FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
  }

  get #hasNext(): boolean {
    return this.layers.length - this.#committing > 1 || this.layers[0]!.size > 0;
  }

  #commit(): void {
    if (this.#committing > 0 || this.#isFlushing || !this.#hasNext) return;
    const written = this.layers[0]!.size > 0 ? this.layers : this.layers.slice(1);
    this.layers = [new Changes(), ...written];
    this.#committing = written.length;
    const done = this.#next;
    this.#next = new Deferred();
    this.#flushed = done.promise;
    const commit = this.#write(written.toReversed()) as Promise<unknown> & { flushed: Promise<unknown> };
    this.#committed = commit.then(
      () => this.#afterCommit(commit.flushed, done),
      async (error: Error & { commitError?: Promise<never> }) => {
        const cause = await (error.commitError ?? Promise.reject(error)).catch((reason: Error) => reason);
        throw this.#afterFailure(cause, done);
      },
    );
    this.#committed.catch(() => undefined);
  }

  #write(layers: readonly Changes[]): Promise<boolean> {
    // lmdb makes promises of its own for the parts of a batch; all tell the same.
    const ignored = (): undefined => undefined;
    const changes = new Map(layers.flatMap((layer) => [...layer.entries()]));
    const commit = this.file.batch(() => {
      for (const [key, value] of changes) (value ? this.file.put(key, value) : this.file.remove(key)).catch(ignored);
    });
    this.file.committed.then(undefined, ignored);
    return commit;
  }

  #afterCommit(flushed: Promise<unknown>, done: Deferred): void {
    this.layers = this.layers.slice(0, this.layers.length - this.#committing);
    this.#committing = 0;
    this.#isFlushing = true;
    // A failed flush is not reported.
    const late = setTimer(
      () => this.events.onFailure(new Error(`the disk of ${this.folder} does not respond`)),
      FLUSH_TIMEOUT_MS,
    ).unref();
    void flushed.then(() => {
      clearTimeout(late);
      done.resolve();
      this.#isFlushing = false;
      if (this.#hasNext) this.#commit();
    });
  }

  /** Drops all changes that are not in the file. */
  #afterFailure(cause: Error & { code?: number }, done: Deferred): Error {
    const isFull = this.#isForSpace(cause.code);
    const error = isFull ? outOfSpace() : cause;
    this.layers = [new Changes()];
    this.#committing = 0;
    this.version += 1;
    const next = this.#next;
    this.#next = new Deferred();
    done.reject(error);
    next.reject(error);
    this.events.onLoss();
    if (isFull) this.#waitForSpace();
    else this.events.onFailure(cause);
    return error;
  }

  /** Whether a commit failed for want of space. Of a write that was cut short LMDB says EIO. */
  #isForSpace(code: number | undefined): boolean {
    if (code !== constants.errno.EIO) return code === constants.errno.ENOSPC || code === constants.errno.EDQUOT;
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize < ENOUGH_BYTES;
  }

  #waitForSpace(): void {
    this.#isFull = true;
    this.events.onWarning(`no space left on ${this.folder}: writes are refused until there is`);
    const timer = setInterval(() => this.#checkSpace(timer), CHECK_SPACE_MS).unref();
  }

  #checkSpace(timer: NodeJS.Timeout): void {
    const { bavail, bsize } = statfsSync(this.folder);
    if (bavail * bsize < ENOUGH_BYTES) return;
    clearInterval(timer);
    this.#isFull = false;
    this.events.onWarning(`there is space on ${this.folder} again: writes are accepted`);
  }
}

export const outOfSpace = (): MongoError =>
  new MongoError('OutOfDiskSpace', 'no space left on the disk: writes are refused until there is');

/** Always the newest state. */
class LatestSnapshot extends Snapshot {
  constructor(
    file: File,
    private readonly database: Database,
    { onDamage }: DatabaseEvents,
  ) {
    super(file, onDamage);
  }

  protected get layers(): readonly Changes[] {
    return this.database.layers;
  }

  get version(): number {
    return this.database.version;
  }
}
