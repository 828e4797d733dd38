import type { FileHandle } from 'node:fs/promises';
import { replaceFile } from './compaction.js';
import { DamagedLogError, repaired, tornTail, type Loss } from './damage.js';
import { disk } from './disk.js';
import { headerBytes, magic } from './frame.js';
import { keepBytes, keepFile } from './keep.js';
import { readToDamage, type Tail } from './read-log.js';
import { gapsBetween, type RecordRange } from './salvage.js';

export interface FileOptions {
  path: string;
  maxRecordBytes: number;
  /** The records that a new file begins with. */
  initial: readonly Uint8Array[];
  repair: boolean;
  onRecord: (payload: Buffer) => void;
  onLoss: (loss: Loss) => void;
}

/**
 * Replays the file, or creates it, and leaves nothing in it but whole records. Returns its length.
 * Throws DamagedLogError, and changes nothing, when whole records follow a damaged one and `repair` is false.
 */
export async function openFile(options: FileOptions): Promise<number> {
  // What an interrupted compaction, repair or creation left.
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
  const { path, maxRecordBytes, repair, onRecord } = options;
  const tail = await readToDamage(handle, path, maxRecordBytes, onRecord);
  if (!tail) return (await handle.stat()).size;
  if (tail.records.length === 0) return cutTail(handle, tail, options);
  if (!repair) throw new DamagedLogError(path, tail.offset, tail.records.length);
  return repairFile(handle, tail, options);
}

/** Keeps a copy of what a crash left incomplete and cuts it off. */
async function cutTail(handle: FileHandle, { offset, bytes }: Tail, options: FileOptions): Promise<number> {
  const { path, onLoss } = options;
  let keptAt: string | undefined;
  let problem: string | undefined;
  try {
    if (bytes.length > 0) keptAt = await keepBytes(path, bytes);
  } catch (error) {
    // A full disk is a common cause of a torn tail. It must not prevent the start as well.
    problem = (error as Error).message;
  }
  await disk.truncate(handle, offset);
  if (offset === 0) {
    await disk.write(handle, [magic], 0);
    await disk.sync(handle);
  }
  onLoss(tornTail(path, { offset, bytes: bytes.length }, keptAt, problem));
  return Math.max(offset, magic.length);
}

/** Keeps a copy of the file, then rewrites it with every whole record that `onRecord` accepts. */
async function repairFile(handle: FileHandle, tail: Tail, options: FileOptions): Promise<number> {
  const { path, onRecord, onLoss } = options;
  const keptAt = await keepFile(path);
  const kept: RecordRange[] = [];
  const size = await replaceFile(path, async (next) => {
    await next.copy(handle, magic.length, tail.offset);
    for (const record of tail.records) {
      const payload = tail.bytes.subarray(record.start + headerBytes, record.end);
      if (!isAccepted(payload, onRecord)) continue;
      kept.push(record);
      await next.add(payload);
    }
  });
  onLoss(repaired(path, gapsBetween(kept, tail), kept.length, keptAt));
  return size;
}

/** A record behind a lost one may make no sense without it. */
function isAccepted(payload: Buffer, onRecord: (payload: Buffer) => void): boolean {
  try {
    onRecord(payload);
    return true;
  } catch {
    return false;
  }
}
