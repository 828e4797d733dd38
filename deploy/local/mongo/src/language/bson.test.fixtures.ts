import { expect } from '@jest/globals';
import { deserialize, EJSON, serialize } from 'bson';
import { decode } from './decode.js';
import { encode } from './encode.js';
import { MongoError } from './errors.js';
import type { Document } from './values.js';

/**
 * Converts a document that an application would pass to the driver (with `Long`, `Double` and other BSON classes) to
 * the form of the engine.
 */
export function doc(fields: Record<string, unknown>): Document {
  return decode(serialize(fields, { ignoreUndefined: true }));
}

export const docs = (...list: Record<string, unknown>[]): Document[] => list.map(doc);

/** Converts a value to the form of the engine. */
export const value = (given: unknown): unknown => doc({ value: given }).value;

/** Returns a document as canonical extended JSON, which preserves numeric types and field order. */
const typed = (document: Document): string =>
  EJSON.stringify(deserialize(encode(document), { promoteValues: false, promoteLongs: false }), undefined, 1, {
    relaxed: false,
  });

/** Expects the same BSON, including the types and the order of fields. */
export function expectDocument(actual: Document, expected: Record<string, unknown>): void {
  expect(typed(actual)).toBe(typed(doc(expected)));
}

export function expectDocuments(actual: Iterable<Document>, expected: Record<string, unknown>[]): void {
  expect(Array.from(actual, typed)).toEqual(expected.map((each) => typed(doc(each))));
}

/** Expects an error with this code, and a message that contains the given text. */
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
