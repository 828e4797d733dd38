import type { FileHandle } from 'node:fs/promises';
import type { Range } from './damage.js';
import { disk } from './disk.js';
import { defaultMaxPayloadBytes, headerBytes, magic } from './frame.js';
import { readFully, replay } from './replay.js';
import { gapsBetween, salvage, type RecordRange } from './salvage.js';

/** The rest of a log, from its first incomplete or damaged record. */
export interface Tail {
  /** Its offset in the file; 0 if the header of the file is incomplete or damaged. */
  offset: number;
  bytes: Buffer;
  /** The complete records in `bytes`. */
  records: RecordRange[];
}

/**
 * Passes the records before the first incomplete or damaged one to `onRecord`. Returns the rest of the file, or
 * undefined if all are complete. Rejects if the file is not a log.
 */
export async function readToDamage(
  handle: FileHandle,
  path: string,
  maxPayloadBytes: number,
  onRecord: (payload: Buffer) => void,
): Promise<Tail | undefined> {
  const offset = await replay(handle, maxPayloadBytes, onRecord);
  const { size } = await handle.stat();
  if (offset === size && offset > 0) return undefined;
  const whole = Buffer.allocUnsafeSlow(size - offset);
  const bytes = whole.subarray(0, await readFully(handle, whole, 0, offset));
  const records = salvage(bytes, maxPayloadBytes);
  const isLog = offset > 0 || records.length > 0 || bytes.equals(magic.subarray(0, bytes.length));
  if (!isLog) throw new Error(`${path} is not an append log`);
  return { offset, bytes, records };
}

/**
 * Passes every complete record of the log at `path` to `onRecord`, in order, including those after damage. Does not
 * change the file. Returns the parts of the file that are not complete records. Rejects if the file cannot be read or
 * is not a log, or if `onRecord` throws. Set `maxPayloadBytes` to that of the log: larger payloads count as damage.
 */
export async function readLog(
  path: string,
  onRecord: (payload: Buffer) => void,
  { maxPayloadBytes = defaultMaxPayloadBytes }: { maxPayloadBytes?: number } = {},
): Promise<Range[]> {
  const handle = await disk.open(path, 'r');
  try {
    const tail = await readToDamage(handle, path, maxPayloadBytes, onRecord);
    if (!tail) return [];
    for (const { start, end } of tail.records) onRecord(tail.bytes.subarray(start + headerBytes, end));
    return gapsBetween(tail.records, tail);
  } finally {
    await handle.close();
  }
}
