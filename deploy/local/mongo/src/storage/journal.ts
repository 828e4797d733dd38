import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppendLog } from '@tautan/append-log';

/** What a record holds, or null when it is removed. */
export type Value = Buffer | null;
export type Change = readonly [key: string, value: Value];

/** Bytes from which on the journal is written anew, without what the data file holds: as many are read at a start. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_RECORD_BYTES = 1024 * 1024 * 1024;

interface Options {
  /** The identity of the data file, undefined when it has none. */
  identity: string | undefined;
  onChange: (change: Change) => void;
  onWarning: (message: string) => void;
  /** Starts without what is lost. */
  repair: boolean;
}

/** The changes that the data file may lack, in `journal.log`: its first record is the identity that both have. */
export class Journal {
  private constructor(
    private readonly log: AppendLog,
    readonly identity: string,
  ) {}

  /**
   * Opens the journal, made when both files are new, and passes on what it holds, the oldest first. Rejects when it is
   * damaged, or when one of the two files is missing or another's.
   */
  static async open(folder: string, { identity, onChange, onWarning, repair }: Options): Promise<Journal> {
    const path = join(folder, 'journal.log');
    if (identity && !existsSync(path) && !repair)
      throw new Error(`${path} is missing, and may hold the newest changes; --repair starts without it`);
    const initial = identity ?? randomBytes(8).toString('hex');
    let found: string | undefined;
    const checkIdentity = (of: string): string => {
      if (identity !== undefined && identity !== of) throw new Error(`${path} belongs to another data.mdb`);
      return of;
    };
    const take = (change: Change): void => {
      if (identity === undefined && !repair) throw new Error(`${path} has changes, but its data.mdb is missing`);
      onChange(change);
    };
    const log = await AppendLog.open(path, {
      onRecord: (record) => {
        if (found !== undefined) for (const change of decode(record)) take(change);
        found ??= checkIdentity(record.toString('latin1'));
      },
      onLoss: ({ message }) => onWarning(message),
      initial: [Buffer.from(initial, 'latin1')],
      maxRecordBytes: MAX_RECORD_BYTES,
      repair,
    });
    return new Journal(log, found ?? initial);
  }

  get isLarge(): boolean {
    return this.log.size > MAX_BYTES;
  }

  /** Resolves when the changes are durable, and all before them. After a failure it rejects until `recover`. */
  append(changes: readonly Change[]): Promise<void> {
    return this.log.append(encode(changes));
  }

  /** Writes the journal anew, with the changes that stand for everything that was appended. */
  compact(changes: readonly Change[]): Promise<void> {
    return this.log.compact([Buffer.from(this.identity, 'latin1'), encode(changes)]);
  }

  /** Accepts changes again. Rejects while the disk still fails. */
  recover(): Promise<void> {
    return this.log.recover(() => undefined);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

const REMOVED = -1;

/** Length of the key (2 bytes), key (Latin-1), length of the value or -1 (4 bytes), value; lengths are big endian. */
function encode(changes: readonly Change[]): Buffer {
  let size = 0;
  for (const [key, value] of changes) size += 6 + key.length + (value?.length ?? 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [key, value] of changes) {
    at = bytes.writeUInt16BE(key.length, at);
    at += bytes.write(key, at, 'latin1');
    at = bytes.writeInt32BE(value?.length ?? REMOVED, at);
    if (value) bytes.set(value, at);
    at += value?.length ?? 0;
  }
  return bytes;
}

function* decode(bytes: Buffer): Iterable<Change> {
  for (let at = 0; at < bytes.length;) {
    const keyEnd = at + 2 + bytes.readUInt16BE(at);
    const key = bytes.toString('latin1', at + 2, keyEnd);
    const length = bytes.readInt32BE(keyEnd);
    at = keyEnd + 4 + Math.max(0, length);
    yield [key, length === REMOVED ? null : Buffer.from(bytes.subarray(keyEnd + 4, at))];
  }
}
