import type { FileHandle } from 'node:fs/promises';
import { magic, scanRecords } from './frame.js';

const chunkBytes = 4 * 1024 * 1024;

/** Fills `into` from `offset` with the file's bytes at `position`; answers how many there were before the end of file. */
async function readFully(handle: FileHandle, into: Buffer, offset: number, position: number): Promise<number> {
  let filled = offset;
  while (filled < into.length) {
    const { bytesRead } = await handle.read(into, filled, into.length - filled, position + filled - offset);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled - offset;
}

/**
 * Hands every whole record of the file to `onRecord`, oldest first, reading 4 MiB at a time.
 * Answers the length of the sound part of the file: 0 when not even the file's own header is whole.
 * Rejects when the file begins with something else than a log's header.
 */
export async function replay(
  handle: FileHandle,
  path: string,
  maxRecordBytes: number,
  onRecord: (payload: Buffer) => void,
): Promise<number> {
  const head = Buffer.alloc(magic.length);
  const headLength = await readFully(handle, head, 0, 0);
  if (!magic.subarray(0, headLength).equals(head.subarray(0, headLength)))
    throw new Error(`${path} is not an append log`);
  if (headLength < magic.length) return 0;

  let position = magic.length;
  let rest = Buffer.alloc(0);
  let wanted = 0;
  for (;;) {
    // A fresh buffer each round: those handed out may be kept.
    const bytes = Buffer.allocUnsafeSlow(Math.max(chunkBytes, wanted) + rest.length);
    rest.copy(bytes);
    const read = await readFully(handle, bytes, rest.length, position + rest.length);
    const filled = bytes.subarray(0, rest.length + read);
    const scan = scanRecords(filled, 0, maxRecordBytes, onRecord);
    position += scan.end;
    if (!scan.intact || read === 0) return position;
    rest = filled.subarray(scan.end);
    wanted = scan.wanted;
  }
}
