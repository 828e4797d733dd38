import { T } from '../language/values.js';
import { int32, valueEnd, type RawDoc } from './raw.js';

const maxDepth = 180;

/**
 * Returns what is wrong with the structure of the document that fills raw[start, end), or undefined if lengths and terminators
 * are correct, so that every later reader may trust them. Throws for a type that is not stored. UTF-8 is not checked.
 */
export function malformed(raw: RawDoc, start = 0, end = raw.length, depth = 0): string | undefined {
  if (depth > maxDepth) return 'nested too deeply';
  if (end - start < 5 || int32(raw, start) !== end - start) return 'a document length is wrong';
  if (raw.charCodeAt(end - 1) !== 0) return 'a document is not terminated';
  let at = start + 4;
  while (at < end - 1) {
    const type = raw.charCodeAt(at);
    const nameEnd = raw.indexOf('\0', at + 1);
    if (nameEnd < 0 || nameEnd >= end - 1) return 'a field name is not terminated';
    const next = valueEnd(raw, type, nameEnd + 1);
    if (next > end - 1 || next < nameEnd + 1) return 'a value is longer than its document';
    const wrong = malformedValue(raw, type, nameEnd + 1, next, depth);
    if (wrong) return wrong;
    at = next;
  }
  return undefined;
}

function malformedValue(raw: RawDoc, type: number, at: number, end: number, depth: number): string | undefined {
  switch (type) {
    case T.string:
      return end - at < 5 || raw.charCodeAt(end - 1) !== 0 ? 'a text is not terminated' : undefined;
    case T.object:
    case T.array:
      return malformed(raw, at, end, depth + 1);
    case T.bool:
      return raw.charCodeAt(at) > 1 ? 'a boolean is neither 0 nor 1' : undefined;
    case T.binData:
      return malformedBinary(raw, at);
    default:
      return undefined;
  }
}

function malformedBinary(raw: RawDoc, at: number): string | undefined {
  const length = int32(raw, at);
  if (length < 0) return 'a binary length is negative';
  const old = raw.charCodeAt(at + 4) === 2;
  return old && (length < 4 || int32(raw, at + 5) !== length - 4) ? 'a binary length is wrong' : undefined;
}
