import type { FileHandle } from 'node:fs/promises';
import { replaceFile } from './compaction.js';
import { DamagedLogError, repaired, tornTail, type Loss } from './damage.js';
import { disk } from './disk.js';
import { headerBytes, magic } from './frame.js';
import { copyBytes, keepCopy } from './copy-aside.js';
import { readToDamage, type Tail } from './read-log.js';
import { gapsBetween, type RecordRange } from './salvage.js';

export interface FileOptions {
  path: string;
  maxPayloadBytes: number;
  /** The first records of a new file. */
  initial: readonly Uint8Array[];
  /** Whether to repair a log in which complete records follow a damaged one. */
  repair: boolean;
  onRecord: (payload: Buffer) => void;
  onLoss: (loss: Loss) => void;
}

/**
 * Replays the file, or creates it, and leaves only complete records in it. Returns its length. Throws DamagedLogError
 * and changes nothing if complete records follow a damaged one and `repair` is false.
 */
export async function openFile(options: FileOptions): Promise<number> {
  // Left by an interrupted compaction, repair or creation.
  await disk.remove(`${options.path}.next`);
  let handle: FileHandle;
  try {
    handle = await disk.open(options.path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return createFile(options);
  }
  try {
    return await recoverFile(handle, options);
  } finally {
    await handle.close();
  }
}

const createFile = ({ path, initial }: FileOptions): Promise<number> =>
  replaceFile(path, async (next) => {
    for (const payload of initial) await next.add(payload);
  });

async function recoverFile(handle: FileHandle, options: FileOptions): Promise<number> {
  const { path, maxPayloadBytes, repair, onRecord } = options;
  const tail = await readToDamage(handle, path, maxPayloadBytes, onRecord);
  if (!tail) return (await handle.stat()).size;
  if (tail.records.length === 0) return cutTail(handle, tail, options);
  if (!repair) throw new DamagedLogError(path, tail.offset, tail.records.length);
  return repairFile(handle, tail, options);
}

/** Copies a torn tail to a file and truncates the log. */
async function cutTail(handle: FileHandle, { offset, bytes }: Tail, options: FileOptions): Promise<number> {
  const { path, onLoss } = options;
  let copiedTo: string | undefined;
  let problem: string | undefined;
  try {
    if (bytes.length > 0) copiedTo = await copyBytes(path, bytes);
  } catch (error) {
    // A full disk is a common cause of a torn tail, so a failed copy must not prevent the log from opening.
    problem = (error as Error).message;
  }
  await disk.truncate(handle, offset);
  if (offset === 0) {
    await disk.write(handle, [magic], 0);
    await disk.sync(handle);
  }
  onLoss(tornTail(path, { offset, bytes: bytes.length }, copiedTo, problem));
  return Math.max(offset, magic.length);
}

/** Copies the file, then rewrites it with every complete record that `onRecord` accepts. */
async function repairFile(handle: FileHandle, tail: Tail, options: FileOptions): Promise<number> {
  const { path, onRecord, onLoss } = options;
  const copiedTo = await keepCopy(path);
  const preserved: RecordRange[] = [];
  const size = await replaceFile(path, async (next) => {
    await next.copy(handle, magic.length, tail.offset);
    for (const record of tail.records) {
      const payload = tail.bytes.subarray(record.start + headerBytes, record.end);
      if (!isAccepted(payload, onRecord)) continue;
      preserved.push(record);
      await next.add(payload);
    }
  });
  onLoss(repaired(path, gapsBetween(preserved, tail), preserved.length, copiedTo));
  return size;
}

/** Returns whether `onRecord` accepts a record. `onRecord` may throw for a record that depends on a lost one. */
function isAccepted(payload: Buffer, onRecord: (payload: Buffer) => void): boolean {
  try {
    onRecord(payload);
    return true;
  } catch {
    return false;
  }
}
