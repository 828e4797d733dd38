import { crc32 } from 'node:zlib';

/** The first bytes of every log: the format and its version. */
export const magic = Buffer.from('TTNLOG1\n', 'latin1');

/** Default maximum size of a payload. */
export const defaultMaxPayloadBytes = 64 * 1024 * 1024;

/** Number of bytes before every payload: its length and its checksum, both unsigned 32-bit little endian. */
export const headerBytes = 8;

// The checksum is seeded with the length, so that it also covers the length, and a run of zeros is not a valid record.
const seed = 0x54415554;

/** Returns the initial value of the checksum of a payload with this length. */
export const checksumSeed = (length: number): number => (length ^ seed) >>> 0;

// zlib returns 0 instead of the seed for some empty buffers.
const checksum = (payload: Uint8Array): number =>
  payload.length === 0 ? checksumSeed(0) : crc32(payload, checksumSeed(payload.length));

/** Returns the 8 bytes that precede `payload` in the file. */
export function frameHeader(payload: Uint8Array): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt32LE(payload.length, 0);
  header.writeUInt32LE(checksum(payload), 4);
  return header;
}

export interface Scan {
  /** Offset of the first incomplete or damaged record; the length of the scanned bytes if there is none. */
  end: number;
  /** Size of the incomplete record at `end` according to its header, bytes; 0 if unknown. */
  recordBytes: number;
  /** False if the record at `end` is damaged; true if it is only incomplete, or if there is none. */
  intact: boolean;
}

/** Parses the complete records of `bytes` from `start` and passes each payload (a view, not a copy) to `onRecord`. */
export function scanRecords(
  bytes: Buffer,
  start: number,
  maxPayloadBytes: number,
  onRecord: (payload: Buffer) => void,
): Scan {
  let at = start;
  while (bytes.length - at >= headerBytes) {
    const length = bytes.readUInt32LE(at);
    if (length > maxPayloadBytes) return { end: at, recordBytes: 0, intact: false };
    const next = at + headerBytes + length;
    if (next > bytes.length) return { end: at, recordBytes: headerBytes + length, intact: true };
    const payload = bytes.subarray(at + headerBytes, next);
    if (checksum(payload) !== bytes.readUInt32LE(at + 4)) return { end: at, recordBytes: 0, intact: false };
    onRecord(payload);
    at = next;
  }
  return { end: at, recordBytes: 0, intact: true };
}
