import { AppendLog, type OpenOptions } from './append-log.js';

/**
 * The file is compacted when it is this many times as large as its live records were at the last compaction, and at
 * least MIN_BYTES.
 */
const COMPACTION_RATIO = 4;
const MIN_BYTES = 1024 * 1024;

/** A value to store under a kind and a key, optionally until a time (Unix ms). Without a value, the key is deleted. */
export type Change = readonly [kind: string, key: string, value?: unknown, until?: number];

export interface StateOptions extends Pick<OpenOptions, 'onLoss' | 'repair'> {
  /** Returns the current time in Unix milliseconds; the system clock by default. */
  now?: () => number;
  /** Opens the file; `AppendLog.open` by default. */
  openLog?: typeof AppendLog.open;
}

type Kinds = Map<string, Map<string, Entry>>;

interface Entry {
  value: unknown;
  until: number | undefined;
}

/** The state of a small server, in memory and in one append-only file. Values are replaced, never mutated. */
export class State {
  #kinds: Kinds = new Map();
  #log!: AppendLog;
  /** A write failed, so memory may differ from the disk. */
  #failed = false;
  #recovering: Promise<void> | undefined;
  /** Changes that are written when the values have been reloaded. */
  #unwritten: Change[] = [];
  #compacting: Promise<void> | undefined;
  /** Size of the live records at the last compaction; 0 before the first one. */
  #liveBytes = 0;

  private constructor(private readonly now: () => number) {}

  /**
   * Opens or creates the file. Rejects if it cannot be read or has another format, and rejects with DamagedLogError in
   * the same cases as `AppendLog.open`.
   */
  static async open(path: string, options: StateOptions): Promise<State> {
    const { now = Date.now, openLog = (...args) => AppendLog.open(...args), onLoss, repair = false } = options;
    const state = new State(now);
    const onRecord = (payload: Buffer): void => applyRecord(state.#kinds, payload);
    state.#log = await openLog(path, { onRecord, onLoss, repair });
    return state;
  }

  /** Returns the value of a key, or undefined if there is none or it has expired. */
  get<T>(kind: string, key: string): T | undefined {
    const entry = this.#kinds.get(kind)?.get(key);
    return entry && this.#isLive(entry) ? (entry.value as T) : undefined;
  }

  /** Yields the values of a kind that have not expired, in insertion order of their keys. */
  *all<T>(kind: string): Generator<[key: string, value: T, until: number | undefined]> {
    for (const [key, entry] of this.#kinds.get(kind) ?? [])
      if (this.#isLive(entry)) yield [key, entry.value as T, entry.until];
  }

  /**
   * Applies all of the changes or none. They can be read immediately, but are on disk only when the promise resolves:
   * do not acknowledge them before that. Rejects if the disk fails; the next write then first reloads the values from
   * the disk.
   */
  write(...changes: Change[]): Promise<void> {
    apply(this.#kinds, changes);
    return this.#failed ? this.#recover(changes) : this.#append(changes);
  }

  async #append(changes: readonly Change[]): Promise<void> {
    try {
      const written = this.#log.append(Buffer.from(JSON.stringify(changes)));
      this.#compactIfLarge();
      await written;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  /** Removes expired values. The next compaction removes them from the file. */
  sweep(): void {
    for (const entries of this.#kinds.values())
      for (const [key, entry] of entries) if (!this.#isLive(entry)) entries.delete(key);
  }

  async close(): Promise<void> {
    await this.#compacting;
    await this.#log.close();
  }

  #isLive({ until }: Entry): boolean {
    return until === undefined || until > this.now();
  }

  /** Reloads the values in memory from the disk and writes the changes, once for all concurrent callers. */
  #recover(changes: readonly Change[]): Promise<void> {
    this.#unwritten.push(...changes);
    this.#recovering ??= this.#reloadAndWrite();
    return this.#recovering;
  }

  async #reloadAndWrite(): Promise<void> {
    const kinds: Kinds = new Map();
    let changes: Change[];
    try {
      await this.#log.recover((payload) => applyRecord(kinds, payload));
    } finally {
      changes = this.#unwritten;
      this.#unwritten = [];
      this.#recovering = undefined;
    }
    apply(kinds, changes);
    this.#kinds = kinds;
    this.#failed = false;
    await this.#append(changes);
  }

  #compactIfLarge(): void {
    if (this.#compacting || this.#log.size < Math.max(MIN_BYTES, COMPACTION_RATIO * this.#liveBytes)) return;
    this.sweep();
    const records = [...this.#records()];
    this.#liveBytes = records.reduce((sum, { length }) => sum + length, 0);
    // A failed compaction is retried later; the file is complete either way.
    this.#compacting = this.#log
      .compact(records)
      .catch(() => undefined)
      .finally(() => (this.#compacting = undefined));
  }

  *#records(): Generator<Buffer> {
    for (const kind of this.#kinds.keys())
      for (const [key, value, until] of this.all(kind)) {
        const change: Change = until === undefined ? [kind, key, value] : [kind, key, value, until];
        yield Buffer.from(JSON.stringify([change]));
      }
  }
}

const applyRecord = (kinds: Kinds, payload: Buffer): void => apply(kinds, JSON.parse(payload.toString()) as Change[]);

function apply(kinds: Kinds, changes: readonly Change[]): void {
  for (const [kind, key, value, until] of changes) {
    const entries = kinds.get(kind) ?? new Map<string, Entry>();
    kinds.set(kind, entries);
    // JSON has no undefined: deletions are replayed without a value, or with null.
    if (value === undefined || value === null) entries.delete(key);
    else entries.set(key, { value, until: until ?? undefined });
  }
}
