import type { FileHandle } from 'node:fs/promises';
import type { Range } from './damage.js';
import { disk } from './disk.js';
import { defaultMaxRecordBytes, headerBytes, magic } from './frame.js';
import { readFully, replay } from './replay.js';
import { gapsBetween, salvage, type RecordRange } from './salvage.js';

/** A log from its first record that is not whole. */
export interface Tail {
  /** Where it begins in the file; 0 when the file's own header is not whole. */
  offset: number;
  bytes: Buffer;
  /** The whole records in `bytes`. */
  records: RecordRange[];
}

/**
 * Passes the records up to the first that is not whole to `onRecord`. Returns the rest of the file, or undefined when all
 * are whole. Rejects when there is no sign that the file is a log.
 */
export async function readToDamage(
  handle: FileHandle,
  path: string,
  maxRecordBytes: number,
  onRecord: (payload: Buffer) => void,
): Promise<Tail | undefined> {
  const offset = await replay(handle, maxRecordBytes, onRecord);
  const { size } = await handle.stat();
  if (offset === size && offset > 0) return undefined;
  const whole = Buffer.allocUnsafeSlow(size - offset);
  const bytes = whole.subarray(0, await readFully(handle, whole, 0, offset));
  const records = salvage(bytes, maxRecordBytes);
  const isLog = offset > 0 || records.length > 0 || bytes.equals(magic.subarray(0, bytes.length));
  if (!isLog) throw new Error(`${path} is not an append log`);
  return { offset, bytes, records };
}

/**
 * Passes every whole record of the log at `path` to `onRecord`, in order, those behind damage included, and leaves the
 * file as it is. Returns the parts of the file that are not whole records. Rejects when the file cannot be read or is not
 * a log, or when `onRecord` throws.
 */
export async function readLog(path: string, onRecord: (payload: Buffer) => void): Promise<Range[]> {
  const handle = await disk.open(path, 'r');
  try {
    const tail = await readToDamage(handle, path, defaultMaxRecordBytes, onRecord);
    if (!tail) return [];
    for (const { start, end } of tail.records) onRecord(tail.bytes.subarray(start + headerBytes, end));
    return gapsBetween(tail.records, tail);
  } finally {
    await handle.close();
  }
}
