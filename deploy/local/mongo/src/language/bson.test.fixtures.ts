import { expect } from '@jest/globals';
import { deserialize, EJSON, serialize } from 'bson';
import { decode } from './decode.js';
import { encode } from './encode.js';
import { MongoError } from './errors.js';
import type { Document } from './values.js';

/** A document as the engine holds it, from one as a driver takes it (numbers as int32 or double, `Long`, `Double`…). */
export function doc(fields: Record<string, unknown>): Document {
  return decode(serialize(fields, { ignoreUndefined: true }));
}

export const docs = (...list: Record<string, unknown>[]): Document[] => list.map(doc);

/** One value as the engine holds it. */
export const value = (fields: unknown): unknown => doc({ value: fields }).value;

/** A document as canonical extended JSON: numeric types and field order show. */
const typed = (document: Document): string =>
  EJSON.stringify(deserialize(encode(document), { promoteValues: false, promoteLongs: false }), undefined, 1, {
    relaxed: false,
  });

/** Expects the same bytes: the same types, the same order of fields. */
export function expectDocument(actual: Document, expected: Record<string, unknown>): void {
  expect(typed(actual)).toBe(typed(doc(expected)));
}

export function expectDocuments(actual: Iterable<Document>, expected: Record<string, unknown>[]): void {
  expect(Array.from(actual, typed)).toEqual(expected.map((each) => typed(doc(each))));
}

/** Expects the server's error: its code, and a part of its message where one is given. */
export function expectError(run: () => unknown, code: number, message = ''): void {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(MongoError);
  expect({ code: (thrown as MongoError).code, message: (thrown as MongoError).message }).toEqual({
    code,
    message: expect.stringContaining(message),
  });
}
