import { refuseType, T } from '../language/values.js';

/**
 * Documents at rest. A document is kept as the bytes of its BSON form, one character code (0–255) a byte: V8 stores such a
 * string with a few bytes of overhead, outside of any shared slab, and hands it back to the collector as soon as nothing
 * refers to it, which slices of network buffers do not do. These functions read one without decoding the whole of it.
 */
export type RawDoc = string;

/** The signed 32-bit little-endian number at `at`. */
export const int32 = (raw: RawDoc, at: number): number =>
  raw.charCodeAt(at) | (raw.charCodeAt(at + 1) << 8) | (raw.charCodeAt(at + 2) << 16) | (raw.charCodeAt(at + 3) << 24);

/** `value` as four little-endian bytes. */
export const int32Bytes = (value: number): string =>
  String.fromCharCode(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >>> 24) & 0xff);

export const toRaw = (bytes: Uint8Array): RawDoc =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** A fresh copy of the bytes. */
export const toBytes = (raw: RawDoc): Buffer => Buffer.from(raw, 'latin1');

/** An element name as it stands in a raw document: UTF-8, with the closing NUL. */
export const rawName = (name: string): string => `${Buffer.from(name, 'utf8').toString('latin1')}\0`;

/** Where the value of `type` that begins at `at` ends. Throws for a type that is not stored. */
export function valueEnd(raw: RawDoc, type: number, at: number): number {
  switch (type) {
    case T.double:
    case T.date:
    case T.long:
      return at + 8;
    case T.string:
      return at + 4 + int32(raw, at);
    case T.object:
    case T.array:
      return at + int32(raw, at);
    case T.binData:
      return at + 5 + int32(raw, at);
    case T.objectId:
      return at + 12;
    case T.bool:
      return at + 1;
    case T.null:
      return at;
    case T.int:
      return at + 4;
    default:
      return refuseType(type);
  }
}

/**
 * Where the element `name` (as `rawName` gives it) of the document that begins at `start` begins, its type byte first;
 * -1 when the document has no such element. The value begins at the answer + 1 + name.length.
 */
export function findElement(raw: RawDoc, start: number, name: string): number {
  const end = start + int32(raw, start) - 1;
  let at = start + 4;
  while (at < end) {
    if (raw.startsWith(name, at + 1)) return at;
    at = valueEnd(raw, raw.charCodeAt(at), raw.indexOf('\0', at + 1) + 1);
  }
  return -1;
}

/** Each element of the document that begins at `start`: its type, and where its name, its value and its end are. */
export function* elements(
  raw: RawDoc,
  start = 0,
): Generator<{ type: number; name: string; begin: number; value: number; end: number }> {
  const last = start + int32(raw, start) - 1;
  let begin = start + 4;
  while (begin < last) {
    const type = raw.charCodeAt(begin);
    const value = raw.indexOf('\0', begin + 1) + 1;
    const end = valueEnd(raw, type, value);
    yield { type, name: raw.slice(begin + 1, value - 1), begin, value, end };
    begin = end;
  }
}

/**
 * The names (as `rawName` gives them) of the top-level elements in which two documents differ. From the first place on where
 * their elements have different names, all that follow are named, whether they differ or not.
 */
export function differingFields(one: RawDoc, other: RawDoc): Set<string> {
  const names = new Set<string>();
  const [last, otherLast] = [one.length - 1, other.length - 1];
  let [at, otherAt] = [4, 4];
  while (at < last && otherAt < otherLast) {
    const value = one.indexOf('\0', at + 1) + 1;
    const name = one.slice(at + 1, value);
    if (!other.startsWith(name, otherAt + 1)) break;
    const end = valueEnd(one, one.charCodeAt(at), value);
    const otherEnd = valueEnd(other, other.charCodeAt(otherAt), otherAt + 1 + name.length);
    const same = end - at === otherEnd - otherAt && other.startsWith(one.slice(at, end), otherAt);
    if (!same) names.add(name);
    [at, otherAt] = [end, otherEnd];
  }
  addNames(names, one, at);
  addNames(names, other, otherAt);
  return names;
}

function addNames(names: Set<string>, raw: RawDoc, from: number): void {
  for (let at = from; at < raw.length - 1;) {
    const value = raw.indexOf('\0', at + 1) + 1;
    names.add(raw.slice(at + 1, value));
    at = valueEnd(raw, raw.charCodeAt(at), value);
  }
}

/** A document made of whole elements (type byte, name, value), each already in raw form. */
export const rawDocument = (body: string): RawDoc => `${int32Bytes(body.length + 5)}${body}\0`;

const idName = '_id\0';

/** The `_id` element, type byte first; undefined when there is none. */
export function idElement(raw: RawDoc): string | undefined {
  const at = findElement(raw, 0, idName);
  if (at < 0) return undefined;
  return raw.slice(at, valueEnd(raw, raw.charCodeAt(at), at + 5));
}
