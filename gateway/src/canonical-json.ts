import { parseBody } from './validation.js';

/**
 * Returns the canonical text of a body that is a JSON object, independent of white space and key order (like RFC 8785).
 * Returns any other body unchanged.
 */
export function canonicalBody(raw: Buffer): string | Buffer {
  try {
    return canonical(parseBody(raw));
  } catch {
    // The body is invalid, and validation rejects it later, or it is too deeply nested for the recursion.
    return raw;
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  // JSON.stringify would turn 1e400 into null.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
