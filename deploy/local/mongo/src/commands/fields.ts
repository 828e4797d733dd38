import { fail, unsupported } from '../language/errors.js';
import { isDocument, isNumeric, newDocument, toNumber, typeName, type Document } from '../language/values.js';

function mismatch(name: string, wanted: string, value: unknown): never {
  fail('TypeMismatch', `BSON field '${name}' is the wrong type '${typeName(value)}', expected type '${wanted}'`);
}

export function optionalDocument(body: Document, name: string): Document | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  return isDocument(value) ? value : mismatch(name, 'object', value);
}

/** Returns a document field, or an empty document if it is absent. */
export const documentField = (body: Document, name: string): Document => optionalDocument(body, name) ?? newDocument();

export function optionalNumber(body: Document, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  return isNumeric(value) ? toNumber(value) : mismatch(name, 'number', value);
}

/** Returns a non-negative number field, truncated to an integer, or undefined if the field is absent. */
export function count(body: Document, name: string): number | undefined {
  const value = optionalNumber(body, name);
  if (value === undefined) return undefined;
  if (value < 0) fail('BadValue', `BSON field '${name}' value must be >= 0, actual value '${value}'`);
  return Math.trunc(value);
}

/** Returns a boolean field, or false if it is absent. A number other than 0 counts as true. */
export function flag(body: Document, name: string): boolean {
  const value = body[name];
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  return isNumeric(value) ? toNumber(value) !== 0 : mismatch(name, 'bool', value);
}

export function text(body: Document, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : mismatch(name, 'string', value);
}

export function list(body: Document, name: string): unknown[] {
  const value = body[name];
  return Array.isArray(value) ? value : mismatch(name, 'array', value);
}

export function documents(body: Document, name: string): Document[] {
  return list(body, name).map((value, i) => (isDocument(value) ? value : mismatch(`${name}.${i}`, 'object', value)));
}

/** Throws CommandNotSupported if a part of a command has an unknown field. */
export function checkKeys(part: Document, known: readonly string[], where: string): void {
  for (const key of Object.keys(part)) if (!known.includes(key)) unsupported(`the option '${key}' of ${where}`);
}
