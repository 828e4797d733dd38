import { AppendLog, type Loss } from '@tautan/append-log';

/** A change to the broker's metadata. `stream`, `consumer` and `state` are JSON that only the caller interprets. */
export type MetaRecord =
  | { kind: 'stream'; id: number; stream: object }
  | { kind: 'streamGone'; id: number }
  | { kind: 'consumer'; id: number; name: string; consumer: object }
  | { kind: 'consumerGone'; id: number; name: string }
  | { kind: 'state'; id: number; name: string; state: object };

interface ConsumerEntry {
  consumer: object;
  state?: object;
}

export interface StreamEntry {
  stream: object;
  consumers: Map<string, ConsumerEntry>;
}

const minCompactBytes = 4 * 1024 * 1024;
const encode = (record: MetaRecord): Buffer => Buffer.from(JSON.stringify(record));
const decode = (payload: Buffer): MetaRecord => JSON.parse(payload.toString('utf8')) as MetaRecord;

/** A log of stream and consumer configurations and of consumer progress, with its current state in memory. */
export class MetaLog {
  streams = new Map<number, StreamEntry>();
  /** Ids of deleted streams whose folders may still exist. */
  readonly deleted = new Set<number>();
  /** Highest assigned stream id. */
  lastId = 0;
  #log!: AppendLog;
  #compactAt = minCompactBytes;
  #compacting = false;
  #recovering: Promise<void> | undefined;

  private constructor(private readonly onError: (error: Error) => void) {}

  /**
   * Opens or creates the file. `onError` receives failed compactions, which leave the log unchanged, and losses found
   * when opening it. Throws DamagedLogError when the file is damaged in the middle, unless `repair` is set.
   */
  static async open(path: string, onError: (error: Error) => void, repair = false): Promise<MetaLog> {
    const meta = new MetaLog(onError);
    const onLoss = ({ message }: Loss): void => onError(new Error(message));
    meta.#log = await AppendLog.open(path, { onRecord: (payload) => meta.#apply(decode(payload)), onLoss, repair });
    return meta;
  }

  /**
   * Writes changes together. Resolves when they are on disk. Rejects if the write fails; the next write then first
   * restores the state that is on disk.
   */
  async write(...records: MetaRecord[]): Promise<void> {
    if (this.#log.failed) await this.#recover();
    for (const record of records) this.#apply(record);
    const written = records.map((record) => this.#log.append(encode(record)));
    this.#compactIfLarge();
    await Promise.all(written);
  }

  /** Rolls back a failed write, once for all waiting callers. */
  #recover(): Promise<void> {
    this.#recovering ??= (async () => {
      const previous = this.streams;
      this.streams = new Map<number, StreamEntry>();
      try {
        await this.#log.recover((payload) => this.#apply(decode(payload)));
      } catch (error) {
        this.streams = previous;
        throw error;
      }
    })().finally(() => (this.#recovering = undefined));
    return this.#recovering;
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  #apply(record: MetaRecord): void {
    const entry = this.streams.get(record.id);
    switch (record.kind) {
      case 'stream':
        this.lastId = Math.max(this.lastId, record.id);
        this.deleted.delete(record.id);
        this.streams.set(record.id, {
          stream: record.stream,
          consumers: entry?.consumers ?? new Map<string, ConsumerEntry>(),
        });
        return;
      case 'streamGone':
        this.lastId = Math.max(this.lastId, record.id);
        this.streams.delete(record.id);
        this.deleted.add(record.id);
        return;
      case 'consumer':
        entry?.consumers.set(record.name, { ...entry.consumers.get(record.name), consumer: record.consumer });
        return;
      case 'consumerGone':
        entry?.consumers.delete(record.name);
        return;
      case 'state': {
        const consumer = entry?.consumers.get(record.name);
        if (consumer) consumer.state = record.state;
      }
    }
  }

  #compactIfLarge(): void {
    if (this.#log.size < this.#compactAt || this.#compacting) return;
    this.#compacting = true;
    this.#log
      .compact(this.#snapshot())
      .then(() => (this.#compactAt = Math.max(minCompactBytes, this.#log.size * 4)))
      .catch((error: Error) => this.onError(error))
      .finally(() => (this.#compacting = false));
  }

  /** Returns the records of a compacted log, all at once, because the state can change during the compaction. */
  #snapshot(): Buffer[] {
    const records: MetaRecord[] = [];
    for (const [id, { stream, consumers }] of this.streams) {
      records.push({ kind: 'stream', id, stream });
      for (const [name, { consumer, state }] of consumers) {
        records.push({ kind: 'consumer', id, name, consumer });
        if (state) records.push({ kind: 'state', id, name, state });
      }
    }
    // A record for `lastId` is written even if that stream's folder is gone, so that the id is not reused.
    const deleted = new Set([...this.deleted, this.lastId]);
    for (const id of deleted) if (id > 0 && !this.streams.has(id)) records.push({ kind: 'streamGone', id });
    return records.map(encode);
  }
}
