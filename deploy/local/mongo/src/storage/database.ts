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

/** Writes are accepted again when so much space is free. */
const ENOUGH_BYTES = 32 * 1024 * 1024;
const CHECK_SPACE_MS = 1_000;
const CLOSE_TIMEOUT_MS = 60_000;
/** The file takes changes up after this time, or when they are this many bytes: the more at once, the fewer pages. */
const PLACE_MS = 500;
const PLACE_BYTES = 8 * 1024 * 1024;

const identityKey = prefixOf('identity');

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
 * Records in one LMDB file, behind a journal. What is written is visible at once, and durable with all that was written before
 * as soon as the journal has it. The file takes the changes up later, many at once.
 */
export class Database {
  readonly latest: Snapshot;
  readonly at = Infinity;
  /** Grows with every change. */
  version = 0;
  /** The changes that the file lacks: those that come now, and those that it takes up next. */
  layers: readonly Changes[] = [new Changes()];
  readonly events: DatabaseEvents;
  /** What the journal was not given yet. */
  #group: Change[] = [];
  /** Of everything that the journal was given, and the newest version of it. */
  #durable: Promise<void> = Promise.resolve();
  #appended = 0;
  /** The newest version that it has. */
  #journaled = 0;
  /** The newest version that the journal or a snapshot may need. */
  #kept = 0;
  /** The newest version of what the file takes up next. */
  #frozen = 0;
  #placed = new Deferred();
  #placing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether it takes up more right afterwards. */
  #isDue = false;
  #loss: { version: number; error: Error } | undefined;
  #isFull = false;
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

  /** Opens the files in the folder, made when they are missing. Rejects when they cannot be used. */
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

  /** Whether the disk is full: then no write may begin. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Bytes of changes that the file does not hold yet. */
  get backlog(): number {
    return this.layers.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Stores a record, or removes it. The bytes must not change. */
  set(key: string, value: Value): void {
    this.version += 1;
    this.#group.push([key, value]);
    this.layers[0]!.set(key, value, this.version, this.#kept);
  }

  /** What is stored now, unchanged by later writes, below the `own` changes of its reader. It must be closed. */
  snapshot(own: Changes): Snapshot {
    this.#kept = this.version;
    const view = {
      layers: [own, ...this.layers],
      at: this.version,
      get version() {
        return own.version;
      },
    };
    return new Snapshot(this.file, this.events, view, this.file.useReadTransaction());
  }

  /** Resolves when everything written until now is durable. Rejects with OutOfDiskSpace when it is lost. */
  durable(): Promise<void> {
    if (this.#group.length > 0) {
      this.#durable = this.#append(this.#group);
      this.#durable.catch(() => undefined);
    }
    return this.#durable;
  }

  /** Resolves when the file has taken up changes, if it lacks any. Rejects with OutOfDiskSpace when it cannot. */
  placed(): Promise<void> {
    if (this.layers.length === 1 && this.layers[0]!.size === 0) return Promise.resolve();
    const { promise } = this.#placed;
    this.#freeze();
    return promise;
  }

  async close(): Promise<void> {
    await this.durable().catch(() => undefined);
    while (this.backlog > 0 && !this.#isFull) await this.placed().catch(() => undefined);
    await this.#placing;
    this.#isClosed = true;
    if (!this.#isFull) await this.#journal.compact([]).catch(() => undefined);
    // After a failed commit, lmdb waits for a flush that never comes.
    const late = setTimeout(this.#isFull ? 0 : CLOSE_TIMEOUT_MS, undefined, { ref: false });
    await Promise.all([this.#journal.close().catch(() => undefined), Promise.race([this.file.close(), late])]);
  }

  async #openJournal(repair: boolean): Promise<void> {
    const value = this.file.getBinary(identityKey, { transaction: undefined });
    const identity = value && withoutChecksum(identityKey, value)?.toString('latin1');
    const onChange = ([key, changed]: Change): void => this.set(key, changed);
    const { onWarning } = this.events;
    this.#journal = await Journal.open(this.folder, { identity, onChange, onWarning, repair });
    if (!identity) {
      const bytes = Buffer.from(this.#journal.identity, 'latin1');
      await write(this.file, [[identityKey, bytes]]).flushed;
    }
    this.#group = [];
    this.#appended = this.#journaled = this.#kept = this.version;
    this.#freeze();
  }

  async #append(group: readonly Change[]): Promise<void> {
    const { version } = this;
    this.#group = [];
    this.#appended = this.#kept = version;
    if (this.layers[0]!.bytes > PLACE_BYTES) this.#freeze();
    else this.#timer ??= setTimer(() => this.#freeze(), PLACE_MS).unref();
    try {
      await this.#journal.append(group);
      this.#journaled = version;
      this.#place();
    } catch (error) {
      throw this.#afterLoss(error as Error, version);
    }
  }

  /** Lets the file take up the changes until now as soon as the journal has them, after those that it takes up already. */
  #freeze(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.durable();
    this.#isDue = this.layers.length > 1;
    if (!this.#isDue && this.layers[0]!.size > 0) {
      this.layers = [new Changes(), ...this.layers];
      this.#frozen = this.version;
    }
    this.#place();
  }

  #place(): void {
    const [, frozen] = this.layers;
    if (frozen && this.#frozen <= this.#journaled) this.#placing ??= this.#write(frozen);
  }

  async #write(frozen: Changes): Promise<void> {
    try {
      const { committed, flushed } = write(this.file, frozen.entries(Infinity));
      await committed;
      this.layers = this.layers.slice(0, 1);
      this.#placed.resolve();
      this.#placed = new Deferred();
      await flushed;
      await this.#shortenJournal();
      this.#placing = undefined;
      if (this.#isDue) this.#freeze();
      else this.#place();
    } catch (error) {
      this.#placing = undefined;
      this.#placed.reject(this.#afterFailure(error as Error));
      this.#placed = new Deferred();
    }
  }

  async #shortenJournal(): Promise<void> {
    if (!this.#journal.isLarge) return;
    await this.#journal.compact(this.layers.toReversed().flatMap((layer) => [...layer.entries(this.#appended)]));
  }

  /** Drops all changes that the journal does not have, when it has refused those until `version`. */
  #afterLoss(cause: Error, version: number): Error {
    if (this.#loss && version <= this.#loss.version) return this.#loss.error;
    const error = this.#afterFailure(cause);
    this.#loss = { version: this.version, error };
    for (const layer of this.layers) layer.revert(this.#journaled);
    this.#frozen = Math.min(this.#frozen, this.#journaled);
    this.#group = [];
    this.version += 1;
    this.events.onLoss();
    return error;
  }

  /** What a failed write is told as. When the disk is full, waits for space; else it has failed. */
  #afterFailure(cause: Error): Error {
    if (!this.#isForSpace(cause)) {
      this.events.onFailure(cause);
      return cause;
    }
    if (!this.#isFull) void this.#waitForSpace();
    return outOfSpace();
  }

  /** Whether a write failed for want of space. Of one that was cut short LMDB says EIO, the journal nothing. */
  #isForSpace(error: Error): boolean {
    const { code } = (error.cause ?? error) as { code?: number | string };
    const { ENOSPC, EDQUOT, EIO } = constants.errno;
    if (['ENOSPC', 'EDQUOT', ENOSPC, EDQUOT].includes(code ?? '')) return true;
    return (code === undefined || code === EIO) && !this.#hasSpace();
  }

  #hasSpace(): boolean {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize >= ENOUGH_BYTES;
  }

  async #waitForSpace(): Promise<void> {
    this.#isFull = true;
    this.events.onWarning(`no space left on ${this.folder}: writes are refused until there is`);
    do await setTimeout(CHECK_SPACE_MS, undefined, { ref: false });
    while (!this.#isClosed && !(await this.#isUsable()));
    if (this.#isClosed) return;
    this.#isFull = false;
    this.#durable = Promise.resolve();
    this.events.onWarning(`there is space on ${this.folder} again: writes are accepted`);
    this.#freeze();
  }

  /** Whether there is space again, and the journal takes changes. */
  async #isUsable(): Promise<boolean> {
    return (
      this.#hasSpace() &&
      (await this.#journal.recover().then(
        () => true,
        () => false,
      ))
    );
  }
}

export const outOfSpace = (): MongoError =>
  new MongoError('OutOfDiskSpace', 'no space left on the disk: writes are refused until there is');
