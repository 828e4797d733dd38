import { EJSON } from 'bson';

/** A value for an error message, close to how the server prints it, and bounded. */
export function show(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : printed(value);
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

function printed(value: unknown): string {
  try {
    return EJSON.stringify(value, { relaxed: true }) ?? 'missing';
  } catch {
    return String(value);
  }
}
