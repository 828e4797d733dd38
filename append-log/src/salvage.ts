import type { Range } from './damage.js';
import { checksumSeed, headerBytes } from './frame.js';
import { RangeChecksums } from './range-checksums.js';

/** Offsets of a complete record, including its header. */
export interface RecordRange {
  start: number;
  end: number;
}

/** Returns the complete records in partly damaged bytes, at any offset. */
export function salvage(bytes: Buffer, maxPayloadBytes: number): RecordRange[] {
  const records: RecordRange[] = [];
  const checksums = new RangeChecksums(bytes);
  let at = 0;
  while (at + headerBytes <= bytes.length) {
    const end = endOfRecord(bytes, at, maxPayloadBytes, checksums);
    if (end !== undefined) records.push({ start: at, end });
    at = end ?? at + 1;
  }
  return records;
}

/** Returns the end of the complete record at `at`, or undefined if there is none. */
function endOfRecord(
  bytes: Buffer,
  at: number,
  maxPayloadBytes: number,
  checksums: RangeChecksums,
): number | undefined {
  const length = bytes.readUInt32LE(at);
  const start = at + headerBytes;
  if (length > maxPayloadBytes || length > bytes.length - start) return undefined;
  const initial = checksumSeed(length);
  // An empty payload needs no computation. This saves time in a run of zeros, where the bytes at every offset look like
  // a header with the length 0. Their checksum is not that of an empty payload, so they are not taken for a record.
  const checksum = length === 0 ? initial : checksums.of(start, start + length, initial);
  return checksum === bytes.readUInt32LE(at + 4) ? start + length : undefined;
}

/** Returns the parts of `tail` that are outside these records, with their offsets in the file. */
export function gapsBetween(records: RecordRange[], tail: { offset: number; bytes: Buffer }): Range[] {
  const gaps: Range[] = [];
  const { offset, bytes } = tail;
  let at = 0;
  for (const { start, end } of [...records, { start: bytes.length, end: bytes.length }]) {
    if (start > at) gaps.push({ offset: offset + at, bytes: start - at });
    at = end;
  }
  return gaps;
}
