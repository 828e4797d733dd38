import { compareStrings } from '../compare.js';
import { fail } from '../errors.js';
import { show } from '../show.js';
import { isNumeric, toNumber, typeName } from '../values.js';
import type { Document } from '../values.js';
import { isNullish, named, type OperatorReader, type OperatorTable, takes, unary, variadic } from './args.js';
import { position } from './array.js';
import { textOf } from './text.js';

function concat(values: unknown[]): unknown {
  if (values.some(isNullish)) return null;
  return values
    .map((value) =>
      typeof value === 'string' ? value : fail(16702, `$concat only supports strings, not ${typeName(value)}`),
    )
    .join('');
}

// The server changes the case of ASCII letters only.
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upper = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

function substringOfBytes([text, from, count]: unknown[], name: string): string {
  const bytes = Buffer.from(textOf(text, name));
  const start = isNumeric(from)
    ? Math.trunc(toNumber(from))
    : fail(16034, `${name}:  starting index must be a numeric type (is BSON type ${typeName(from)})`);
  const length = isNumeric(count)
    ? Math.trunc(toNumber(count))
    : fail(16035, `${name}:  length must be a numeric type (is BSON type ${typeName(count)})`);
  if (start < 0) fail(50752, `${name}:  starting index must be non-negative (got: ${start})`);
  const end = length < 0 ? bytes.length : Math.min(bytes.length, start + length);
  if (continues(bytes, start)) fail(28656, `${name}:  Invalid range, starting index is a UTF-8 continuation byte.`);
  if (end < bytes.length && continues(bytes, end))
    fail(28657, `${name}:  Invalid range, ending index is in the middle of a UTF-8 character.`);
  return bytes.toString('utf8', start, end);
}

const continues = (bytes: Buffer, at: number): boolean => at < bytes.length && (bytes[at]! & 0xc0) === 0x80;

function substringOfCodePoints([text, from, count]: unknown[], name: string): string {
  const start =
    isNumeric(from) && Number.isInteger(toNumber(from))
      ? toNumber(from)
      : fail(34450, `${name}: starting index must be a numeric type (is BSON type ${typeName(from)})`);
  const length =
    isNumeric(count) && Number.isInteger(toNumber(count))
      ? toNumber(count)
      : fail(34452, `${name}: length must be a numeric type (is BSON type ${typeName(count)})`);
  if (length < 0) fail(34454, `${name}: length must be a nonnegative integer.`);
  if (start < 0) fail(34455, `${name}: the starting index must be nonnegative integer.`);
  return [...textOf(text, name)].slice(start, start + length).join('');
}

function strings(values: unknown[], name: string): [string, string] {
  const [text, part] = values;
  if (typeof text !== 'string')
    return fail(40091, `${name} requires a string as the first argument, found: ${typeName(text)}`);
  if (typeof part !== 'string')
    return fail(40092, `${name} requires a string as the second argument, found: ${typeName(part)}`);
  return [text, part];
}

/** Finds a string in another one, in units that `split` makes (bytes or code points). */
const indexIn = (split: (text: string) => ArrayLike<unknown>): OperatorReader =>
  takes(2, 4, (values, name) => {
    if (isNullish(values[0])) return null;
    const [text, part] = strings(values, name).map(split) as [ArrayLike<unknown>, ArrayLike<unknown>];
    const start = values[2] === undefined ? 0 : position(values[2], 'starting');
    const stop = Math.min(values[3] === undefined ? text.length : position(values[3], 'ending'), text.length);
    for (let i = start; i + part.length <= stop; i += 1) if (startsAt(text, part, i)) return i;
    return -1;
  });

function startsAt(text: ArrayLike<unknown>, part: ArrayLike<unknown>, at: number): boolean {
  for (let i = 0; i < part.length; i += 1) if (text[at + i] !== part[i]) return false;
  return true;
}

function split([text, separator]: unknown[]): unknown {
  if (isNullish(text) || isNullish(separator)) return null;
  if (typeof text !== 'string')
    return fail(
      40085,
      `$split requires an expression that evaluates to a string as a first argument, found: ${typeName(text)}`,
    );
  if (typeof separator !== 'string')
    return fail(
      40086,
      `$split requires an expression that evaluates to a string as a second argument, found: ${typeName(separator)}`,
    );
  return separator === '' ? fail(40087, '$split requires a non-empty separator') : text.split(separator);
}

// What the server trims unless told otherwise: the NUL and Unicode's white space.
const SPACES = '\0\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a';

const trimmed = (left: boolean, right: boolean): OperatorReader =>
  named(['input'], ['chars'], ({ input, chars = SPACES }, name) => {
    if (isNullish(input) || isNullish(chars)) return null;
    if (typeof input !== 'string')
      return fail(
        50699,
        `${name} requires its input to be a string, got ${show(input)} (of type ${typeName(input)}) instead.`,
      );
    if (typeof chars !== 'string')
      return fail(50700, `${name} requires 'chars' to be a string, got ${typeName(chars)} instead.`);
    const points = [...input];
    const drop = new Set(chars);
    let start = 0;
    let end = points.length;
    while (left && start < end && drop.has(points[start]!)) start += 1;
    while (right && end > start && drop.has(points[end - 1]!)) end -= 1;
    return points.slice(start, end).join('');
  });

const replaced = (all: boolean): OperatorReader =>
  named(['input', 'find', 'replacement'], [], (operands: Document, name) => {
    for (const key of ['input', 'find', 'replacement']) {
      const value = operands[key];
      if (!isNullish(value) && typeof value !== 'string')
        fail(51746, `${name} requires that '${key}' be a string, found: ${typeName(value)}`);
    }
    const { input, find, replacement } = operands as Record<string, string | null | undefined>;
    if (isNullish(input) || isNullish(find) || isNullish(replacement)) return null;
    return all ? input.replaceAll(find, () => replacement) : input.replace(find, () => replacement);
  });

const length = (measure: (text: string) => number): OperatorReader =>
  unary((value, name) =>
    typeof value === 'string'
      ? measure(value)
      : fail(34471, `${name} requires a string argument, found: ${typeName(value)}`),
  );

export const STRINGS: OperatorTable = {
  $concat: variadic(concat),
  $toLower: unary((value, name) => lower(textOf(value, name))),
  $toUpper: unary((value, name) => upper(textOf(value, name))),
  $substr: takes(3, 3, substringOfBytes),
  $substrBytes: takes(3, 3, substringOfBytes),
  $substrCP: takes(3, 3, substringOfCodePoints),
  $strLenBytes: length((text) => Buffer.byteLength(text)),
  $strLenCP: length((text) => [...text].length),
  $strcasecmp: takes(2, 2, ([a, b], name) => Math.sign(compareStrings(upper(textOf(a, name)), upper(textOf(b, name))))),
  $indexOfBytes: indexIn((text) => Buffer.from(text)),
  $indexOfCP: indexIn((text) => [...text]),
  $split: takes(2, 2, split),
  $trim: trimmed(true, true),
  $ltrim: trimmed(true, false),
  $rtrim: trimmed(false, true),
  $replaceOne: replaced(false),
  $replaceAll: replaced(true),
};
