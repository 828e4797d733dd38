import { fail, unsupported } from './errors.js';
import { isDocument } from './values.js';

/** Returns the value at a path; undefined if it is missing. Throws for an array before the end of the path. */
export function valueAt(document: unknown, parts: readonly string[]): unknown {
  let value = document;
  for (const part of parts) {
    if (Array.isArray(value)) refuseArray(parts);
    value = isDocument(value) ? value[part] : undefined;
  }
  return value;
}

export const refuseArray = (parts: readonly string[]): never =>
  unsupported(`an array before the end of the path '${parts.join('.')}'`);

/**
 * Returns the parts of a path. Throws BadValue for an invalid part, and CommandNotSupported for one that starts with
 * `$`.
 */
export function pathParts(path: string): string[] {
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '' || part.includes('\0')) fail('BadValue', `invalid field name in the path '${path}'`);
    if (part.startsWith('$')) unsupported(`'${part}' in the path '${path}'`);
  }
  return parts;
}
