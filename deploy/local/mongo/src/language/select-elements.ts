import { readName } from './decode.js';
import { TYPE, unsupportedType } from './values.js';

/**
 * Returns a document with only those top-level elements of a stored document whose names are selected by `selects`.
 * Copies their bytes without decoding them, so that the other elements cost almost nothing.
 */
export function selectElements(raw: Buffer, selects: (name: string) => boolean): Buffer {
  const end = raw.length - 1;
  /** Starts and ends, alternating. Adjacent elements share one range. */
  const ranges: number[] = [];
  let size = 5;
  for (let start = 4, next; start < end; start = next) {
    const nameEnd = raw.indexOf(0, start + 1);
    next = valueEnd(raw, raw[start]!, nameEnd + 1);
    if (!selects(readName(raw, start + 1, nameEnd))) continue;
    size += next - start;
    if (ranges.at(-1) === start) ranges[ranges.length - 1] = next;
    else ranges.push(start, next);
  }
  const result = Buffer.allocUnsafe(size);
  let position = result.writeInt32LE(size);
  for (let i = 0; i < ranges.length; i += 2) position += raw.copy(result, position, ranges[i], ranges[i + 1]);
  result[position] = 0;
  return result;
}

/** Returns the end of a value that starts at `at`. */
function valueEnd(raw: Buffer, type: number, at: number): number {
  switch (type) {
    case TYPE.null:
      return at;
    case TYPE.bool:
      return at + 1;
    case TYPE.int:
      return at + 4;
    case TYPE.double:
    case TYPE.date:
    case TYPE.long:
      return at + 8;
    case TYPE.objectId:
      return at + 12;
    case TYPE.string:
      return at + 4 + raw.readInt32LE(at);
    case TYPE.binData:
      return at + 5 + raw.readInt32LE(at);
    case TYPE.object:
    case TYPE.array:
      return at + raw.readInt32LE(at);
    default:
      return unsupportedType(type);
  }
}
