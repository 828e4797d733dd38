import { AppendLog, type OpenOptions } from './append-log.js';

/** Compacted when the file is this many times the live records, and not before it is this long, bytes. */
const WASTE = 4;
const MIN_BYTES = 1024 * 1024;

/** A value to keep under a kind and a key, up to a time (ms since 1970) if it ends; without a value: to forget. */
export type Change = readonly [kind: string, key: string, value?: unknown, until?: number];

export interface StateOptions extends Pick<OpenOptions, 'onLoss' | 'repair'> {
  /** Milliseconds since 1970, default the clock. */
  now?: () => number;
  /** Opens the file, default `AppendLog.open`. */
  openLog?: typeof AppendLog.open;
}

type Kinds = Map<string, Map<string, Entry>>;

interface Entry {
  value: unknown;
  until: number | undefined;
}

/** The state of a small server, in memory and in one append-only file. Values are replaced, never changed in place. */
export class State {
  #kinds: Kinds = new Map();
  #log!: AppendLog;
  /** The disk refused a change: what is in memory may not be on it. */
  #failed = false;
  #recovering: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  #liveBytes = 0;

  private constructor(private readonly now: () => number) {}

  /**
   * Reads the file, or creates it. Rejects when it cannot be read or is not such a file; throws DamagedLogError as
   * `AppendLog.open` does.
   */
  static async open(path: string, options: StateOptions): Promise<State> {
    const { now = Date.now, openLog = (...args) => AppendLog.open(...args), onLoss, repair = false } = options;
    const state = new State(now);
    const onRecord = (payload: Buffer): void => applyRecord(state.#kinds, payload);
    state.#log = await openLog(path, { onRecord, onLoss, repair });
    state.#liveBytes = state.#log.size;
    return state;
  }

  /** The value under a key, or undefined when there is none or it has ended. */
  get<T>(kind: string, key: string): T | undefined {
    const entry = this.#kinds.get(kind)?.get(key);
    return entry && this.#lives(entry) ? (entry.value as T) : undefined;
  }

  /** Every living value of a kind, in the order in which their keys came. */
  *all<T>(kind: string): Generator<[key: string, value: T, until: number | undefined]> {
    for (const [key, entry] of this.#kinds.get(kind) ?? [])
      if (this.#lives(entry)) yield [key, entry.value as T, entry.until];
  }

  /**
   * Makes all of the changes or none. They can be read at once, and are on disk when the promise resolves: report them only
   * then. Rejects when the disk refuses them; the next write then starts from what is on disk.
   */
  async write(...changes: Change[]): Promise<void> {
    if (this.#failed) await this.#recover();
    apply(this.#kinds, changes);
    try {
      const written = this.#log.append(Buffer.from(JSON.stringify(changes)));
      this.#compactIfWorth();
      await written;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  /** Forgets what has ended. The file is rid of it at its next compaction. */
  sweep(): void {
    for (const entries of this.#kinds.values())
      for (const [key, entry] of entries) if (!this.#lives(entry)) entries.delete(key);
  }

  async close(): Promise<void> {
    await this.#compacting;
    await this.#log.close();
  }

  #lives({ until }: Entry): boolean {
    return until === undefined || until > this.now();
  }

  /** Goes back to what is on disk. Once for all who wait. */
  async #recover(): Promise<void> {
    this.#recovering ??= (async () => {
      const kinds: Kinds = new Map();
      await this.#log.recover((payload) => applyRecord(kinds, payload));
      this.#kinds = kinds;
      this.#failed = false;
    })().finally(() => (this.#recovering = undefined));
    return this.#recovering;
  }

  #compactIfWorth(): void {
    if (this.#compacting || this.#log.size < Math.max(MIN_BYTES, WASTE * this.#liveBytes)) return;
    this.sweep();
    const records = [...this.#records()];
    this.#liveBytes = records.reduce((sum, { length }) => sum + length, 0);
    // Not done, it is tried again later; the file is whole either way.
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
    // JSON has no undefined: what was forgotten is replayed without a value, or with null.
    if (value === undefined || value === null) entries.delete(key);
    else entries.set(key, { value, until: until ?? undefined });
  }
}
