import { parseBody } from './validation.js';

/**
 * Returns the same text for bodies that are the same JSON object, whatever their white space and order of keys (in the manner
 * of RFC 8785), and the bytes themselves for what is no JSON object.
 */
export function canonicalBody(raw: Buffer): string | Buffer {
  try {
    return canonical(parseBody(raw));
  } catch {
    // Not valid, or nested too deep to be walked: validation refuses it later.
    return raw;
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  // 1e400 is not the null that JSON.stringify makes of it.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
