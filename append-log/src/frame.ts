import { crc32 } from 'node:zlib';

/** First bytes of every log: names the format and its version. */
export const magic = Buffer.from('TTNLOG1\n', 'latin1');

/** Bytes in front of every payload: its length and its checksum, both unsigned 32-bit little endian. */
export const headerBytes = 8;

// The length seeds the checksum: it is covered too, and a run of zeros (what a power cut can leave) is no valid record.
const seed = 0x54415554;
const checksum = (payload: Uint8Array): number => crc32(payload, (payload.length ^ seed) >>> 0);

/** The 8 bytes that precede `payload` in the file. */
export function frameHeader(payload: Uint8Array): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt32LE(payload.length, 0);
  header.writeUInt32LE(checksum(payload), 4);
  return header;
}

export interface Scan {
  /** Where the first record that is not whole begins. */
  end: number;
  /** Bytes from `end` that the record there claims to take; 0 when even its header is not whole. */
  wanted: number;
  /** False when the record at `end` can never become whole, however many bytes follow. */
  intact: boolean;
}

/** Reads whole records of `bytes` from `start`, handing each payload (a view, not a copy) to `onRecord`. */
export function scanRecords(
  bytes: Buffer,
  start: number,
  maxRecordBytes: number,
  onRecord: (payload: Buffer) => void,
): Scan {
  let at = start;
  while (bytes.length - at >= headerBytes) {
    const length = bytes.readUInt32LE(at);
    if (length > maxRecordBytes) return { end: at, wanted: 0, intact: false };
    const next = at + headerBytes + length;
    if (next > bytes.length) return { end: at, wanted: headerBytes + length, intact: true };
    const payload = bytes.subarray(at + headerBytes, next);
    if (checksum(payload) !== bytes.readUInt32LE(at + 4)) return { end: at, wanted: 0, intact: false };
    onRecord(payload);
    at = next;
  }
  return { end: at, wanted: 0, intact: true };
}
