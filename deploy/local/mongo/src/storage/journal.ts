import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { AppendLog, keepCopy } from '@tautan/append-log';

/** The content of a record of the data file, or null if the record is removed. */
export type Value = Buffer | null;
export type Change = readonly [key: string, value: Value];

/** Size above which the journal is compacted, because all of it is read at startup. */
const COMPACTION_BYTES = 32 * 1024 * 1024;
const MAX_PAYLOAD_BYTES = 1024 * 1024 * 1024;
/** Size of a journal that contains only an identity: the headers of the file and the record, and 16 digits. */
const IDENTITY_BYTES = 32;
const identityPattern = /^[0-9a-f]{16}$/;
const LOST_FILE = 'belongs to a data.mdb that is missing, empty or damaged';

interface Options {
  /** The identity that the data file has; undefined if it is new or damaged. */
  identity: string | undefined;
  onChange: (change: Change) => void;
  onWarning: (message: string) => void;
  repair: boolean;
}

/**
 * The file `journal.log`: the changes that may be missing from the data file. Its first record is the identity that
 * both files share.
 */
export class Journal {
  private constructor(
    private readonly log: AppendLog,
    readonly identity: string,
  ) {}

  /**
   * Opens the journal and replays its changes. Creates it if neither file exists. Rejects if the data file has another
   * identity. Without `repair`, also rejects if the journal is damaged in the middle, or if one of the files was lost.
   * With `repair`, a journal that lost its identity gets the identity of the data file. If the data file was lost, the
   * journal gets a new identity, and a copy of the original journal is kept.
   */
  static async open(folder: string, { identity, onChange, onWarning, repair }: Options): Promise<Journal> {
    const path = join(folder, 'journal.log');
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    const isLost = size === undefined ? identity !== undefined : size < IDENTITY_BYTES;
    if (isLost && !repair)
      throw new Error(
        `${path} is missing, empty or cut off. It may have contained the latest changes. Use --repair to start without them.`,
      );
    const initial = identity ?? randomBytes(8).toString('hex');
    const initialRecords = [Buffer.from(initial, 'latin1')];
    let found: string | undefined;
    /** The records with changes, if the journal must be rewritten with the identity `initial`. */
    const kept: Buffer[] = [];
    const onIdentity = (text: string): void => {
      if (identity && identity !== text) throw new Error(`${path} belongs to another data.mdb`);
      found = text;
    };
    const onRecord = (record: Buffer): void => {
      if (found === undefined && identityPattern.test(record.toString('latin1', 0, 17)))
        return onIdentity(record.toString('latin1'));
      // The second record, even if it has no changes, is written only after the data file has the identity.
      if (!identity && !repair)
        throw new Error(`${path} ${LOST_FILE}. Restore both files, or use --repair to start with what is left.`);
      if (found === undefined && !repair)
        throw new Error(
          `${path} does not contain the identity of its data.mdb. Restore both files, or use --repair to start with the changes in this file.`,
        );
      if (!identity || found === undefined) kept.push(record);
      decode(record).forEach(onChange);
    };
    const log = await AppendLog.open(path, {
      onRecord,
      onLoss: ({ message }) => onWarning(message),
      initial: initialRecords,
      maxPayloadBytes: MAX_PAYLOAD_BYTES,
      repair,
    });
    if (kept.length === 0 && log.size >= IDENTITY_BYTES) return new Journal(log, found ?? initial);
    // If the data file was lost, the journal gets a new identity. With its original identity, it could later be used
    // with a restored copy of the lost file, which lacks the changes that are only in the new data file.
    if (!identity && kept.length > 0)
      onWarning(`${path} ${LOST_FILE}: repaired; the original file is kept as ${await keepCopy(path)}`);
    await log.compact([...initialRecords, ...kept]);
    return new Journal(log, initial);
  }

  get needsCompaction(): boolean {
    return this.log.size > COMPACTION_BYTES;
  }

  /** Resolves when the changes, and all before them, are durable. After a failure, rejects until `recover` resolves. */
  append(changes: readonly Change[]): Promise<void> {
    return this.log.append(encode(changes));
  }

  /** Replaces the content of the journal with these changes. */
  compact(changes: readonly Change[]): Promise<void> {
    return this.log.compact([Buffer.from(this.identity, 'latin1'), encode(changes)]);
  }

  /** Accepts changes again after a failure. Rejects while the disk still fails. */
  recover(): Promise<void> {
    return this.log.recover(() => undefined);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

const REMOVED = -1;

/** Encodes key length (2 bytes), key (Latin-1), value length or -1 (4 bytes), and value. Integers are big endian. */
function encode(changes: readonly Change[]): Buffer {
  const bytes = Buffer.allocUnsafe(
    changes.reduce((sum, [key, value]) => sum + 6 + key.length + (value?.length ?? 0), 0),
  );
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

function decode(bytes: Buffer): Change[] {
  const changes: Change[] = [];
  for (let at = 0; at < bytes.length;) {
    const keyEnd = at + 2 + bytes.readUInt16BE(at);
    const key = bytes.toString('latin1', at + 2, keyEnd);
    const length = bytes.readInt32BE(keyEnd);
    at = keyEnd + 4 + Math.max(0, length);
    changes.push([key, length === REMOVED ? null : Buffer.from(bytes.subarray(keyEnd + 4, at))]);
  }
  return changes;
}
