import type { FileHandle } from 'node:fs/promises';
import { magic, scanRecords } from './frame.js';

const chunkBytes = 4 * 1024 * 1024;

/**
 * Fills `into` from `offset` with the file's bytes at `position`. Returns the number of bytes read, which is
 * less than requested only at the end of the file.
 */
export async function readFully(handle: FileHandle, into: Buffer, offset: number, position: number): Promise<number> {
  let filled = offset;
  while (filled < into.length) {
    const { bytesRead } = await handle.read(into, filled, into.length - filled, position + filled - offset);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled - offset;
}

/**
 * Passes the records of the file to `onRecord`, oldest first, up to the first incomplete or damaged one, reading 4 MiB
 * at a time. Returns the offset of that record: the file's length if all are complete, 0 if the file has no log
 * header.
 */
export async function replay(
  handle: FileHandle,
  maxPayloadBytes: number,
  onRecord: (payload: Buffer) => void,
): Promise<number> {
  const head = Buffer.alloc(magic.length);
  await readFully(handle, head, 0, 0);
  if (!head.equals(magic)) return 0;

  let position = magic.length;
  let rest = Buffer.alloc(0);
  let recordBytes = 0;
  for (;;) {
    // A new buffer each time, because callers may retain the payloads, which are views of it.
    const bytes = Buffer.allocUnsafeSlow(Math.max(chunkBytes, recordBytes) + rest.length);
    rest.copy(bytes);
    const read = await readFully(handle, bytes, rest.length, position + rest.length);
    const filled = bytes.subarray(0, rest.length + read);
    const scan = scanRecords(filled, 0, maxPayloadBytes, onRecord);
    position += scan.end;
    if (!scan.intact || read === 0) return position;
    rest = filled.subarray(scan.end);
    recordBytes = scan.recordBytes;
  }
}
