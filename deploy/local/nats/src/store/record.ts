/** Records of a segment. Numbers are little-endian. Sequences and times are doubles, exact up to 2^53. */

const [messageKind, removalKind, baseKind, floorKind] = [1, 2, 3, 4];
/** Size in bytes of a message's kind, sequence, time, subject length and header length. */
const messageHead = 1 + 8 + 8 + 2 + 4;

export interface StoredMessage {
  seq: number;
  /** Unix ms. */
  time: number;
  subject: string;
  /** Raw NATS/1.0 header block. */
  header: Buffer | undefined;
  payload: Buffer;
}

export type SegmentRecord =
  | { kind: 'message'; message: StoredMessage }
  /** The message with this sequence was removed. */
  | { kind: 'removal'; seq: number }
  /** Every message up to this sequence is earlier in this segment, is in an older segment, or was removed. */
  | { kind: 'base'; seq: number }
  /** All messages before this sequence, in any segment, were removed. */
  | { kind: 'floor'; seq: number };

export function encodeMessage({ seq, time, subject, header, payload }: StoredMessage): Buffer {
  const subjectBytes = Buffer.byteLength(subject);
  const headerBytes = header?.length ?? 0;
  const record = Buffer.allocUnsafe(messageHead + subjectBytes + headerBytes + payload.length);
  record[0] = messageKind;
  record.writeDoubleLE(seq, 1);
  record.writeDoubleLE(time, 9);
  record.writeUInt16LE(subjectBytes, 17);
  record.writeUInt32LE(headerBytes, 19);
  record.write(subject, messageHead);
  header?.copy(record, messageHead + subjectBytes);
  payload.copy(record, messageHead + subjectBytes + headerBytes);
  return record;
}

const encodeSequence = (kind: number, seq: number): Buffer => {
  const record = Buffer.allocUnsafe(9);
  record[0] = kind;
  record.writeDoubleLE(seq, 1);
  return record;
};

export const encodeRemoval = (seq: number): Buffer => encodeSequence(removalKind, seq);
export const encodeFloor = (seq: number): Buffer => encodeSequence(floorKind, seq);
export const encodeBase = (seq: number): Buffer => encodeSequence(baseKind, seq);

/** Parses a record. Header and payload are views of it. Throws if its kind is unknown. */
export function decodeRecord(record: Buffer): SegmentRecord {
  const kind = record[0];
  const seq = record.readDoubleLE(1);
  if (kind === removalKind) return { kind: 'removal', seq };
  if (kind === floorKind) return { kind: 'floor', seq };
  if (kind === baseKind) return { kind: 'base', seq };
  if (kind !== messageKind) throw new Error(`unknown record kind ${kind}`);
  const headerAt = messageHead + record.readUInt16LE(17);
  const payloadAt = headerAt + record.readUInt32LE(19);
  const message = {
    seq,
    time: record.readDoubleLE(9),
    subject: record.toString('utf8', messageHead, headerAt),
    header: payloadAt > headerAt ? record.subarray(headerAt, payloadAt) : undefined,
    payload: record.subarray(payloadAt),
  };
  return { kind: 'message', message };
}

/** Returns the size of a message for `max_bytes`, as in nats-server's file store. */
export function storedSize(subject: string, header: Buffer | undefined, payload: Buffer): number {
  return 22 + Buffer.byteLength(subject) + (header ? 4 + header.length : 0) + payload.length + 8;
}
