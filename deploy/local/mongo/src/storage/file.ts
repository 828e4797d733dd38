import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, statSync } from 'node:fs';
import { open, type RootDatabase, type Transaction } from 'lmdb';
import type { Change } from './journal.js';
import { withChecksum } from './keys.js';

/** Members that lmdb's types lack, or declare without `options`. */
interface UntypedMembers {
  /** Returns a buffer that the next read overwrites. Its size is `length`, not `byteLength`. */
  getBinaryFast(key: string, options: { transaction: Transaction | undefined }): Buffer | undefined;
  readonly status: 'open' | 'closing' | 'closed';
}

/** An LMDB file. Keys are Latin-1 strings, and values are bytes. */
export type File = Omit<RootDatabase<Buffer, string>, 'getBinaryFast'> & UntypedMembers;

/** Reserved address space; the file grows as needed. */
const MAP_BYTES = 2 ** 40;
/** Maximum number of concurrent snapshots. */
const MAX_READERS = 2_000;

const keyEncoder = {
  writeKey: (key: string, target: Buffer, position: number): number => position + target.write(key, position, 'latin1'),
  readKey: (target: Buffer, start: number, end: number): string => target.toString('latin1', start, end),
};

/**
 * A flush that takes longer counts as failed, due to a full disk if little space is free, otherwise due to a disk
 * failure.
 */
const FLUSH_TIMEOUT_MS = 60_000;

/** Opens a file, and creates it if missing. Throws if it is truncated, not writable or not an LMDB file. */
export function openFile(path: string): File {
  checkFile(path);
  return open<Buffer, string>({
    path,
    encoding: 'binary',
    keyEncoder,
    separateFlushed: true,
    mapSize: MAP_BYTES,
    maxReaders: MAX_READERS,
    noMemInit: true,
    eventTurnBatching: false,
  }) as unknown as File;
}

interface Commit extends Promise<boolean> {
  flushed: Promise<void>;
}

/**
 * Writes or removes records in one commit. Readers see the commit when `committed` resolves; it is durable when
 * `flushed` resolves.
 */
export function write(file: File, changes: Iterable<Change>): { committed: Promise<void>; flushed: Promise<void> } {
  // If the batch fails, the promise of each of its writes rejects too.
  const ignored = (): undefined => undefined;
  const commit = file.batch(() => {
    for (const [key, value] of changes)
      (value ? file.put(key, withChecksum(key, value)) : file.remove(key)).catch(ignored);
  }) as Commit;
  file.committed.then(undefined, ignored);
  const committed = commit.then(
    ignored,
    (error: Error & { commitError?: Promise<never> }) => error.commitError ?? Promise.reject(error),
  );
  const flushed = committed.then(() => withTimeout(commit.flushed));
  flushed.catch(ignored);
  return { committed, flushed };
}

/** Rejects if a flush times out: LMDB does not report failed flushes. */
function withTimeout(flushed: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the disk does not respond')), FLUSH_TIMEOUT_MS).unref();
    void flushed.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Values and offsets of the fields of the two meta pages of a file. */
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const META = { magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152, end: 160 };
/** Maximum number of unwritten pages at the end of a file. */
const UNWRITTEN_PAGES = 256;

/**
 * Checks a file before LMDB maps it: a truncated one would crash the process. If the file's last pages were never
 * written, appends them.
 */
function checkFile(path: string): void {
  if (!existsSync(path) || statSync(path).size === 0) return;
  const file = openSync(path, 'r+');
  try {
    const metas = [0, 4_096, 8_192, 16_384].map((offset) => metaAt(file, offset));
    const [meta] = metas.filter((each) => each !== undefined).sort((a, b) => Number(b.transaction - a.transaction));
    const bytes = meta ? (Number(meta.lastPage) + 1) * meta.pageSize : 0;
    if (!meta || bytes > MAP_BYTES)
      throw new Error(`${path} is not a data file of this engine, or its beginning is damaged`);
    const { size } = fstatSync(file);
    if (size < bytes - UNWRITTEN_PAGES * meta.pageSize)
      throw new Error(`${path} is cut off at offset ${size} of ${bytes}`);
    if (size < bytes) ftruncateSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

function metaAt(file: number, offset: number): { pageSize: number; lastPage: bigint; transaction: bigint } | undefined {
  const bytes = Buffer.alloc(META.end);
  readSync(file, bytes, 0, META.end, offset);
  if (bytes.readUInt32LE(META.magic) !== MAGIC || bytes.readUInt32LE(META.version) !== VERSION) return undefined;
  return {
    pageSize: bytes.readUInt32LE(META.pageSize),
    lastPage: bytes.readBigUInt64LE(META.lastPage),
    transaction: bytes.readBigUInt64LE(META.transaction),
  };
}
