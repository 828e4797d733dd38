import { fail } from '@tautan/kit';

/** Parses the JSON of a style. Throws VALIDATION_ERROR naming `styleConfig` if it is invalid. */
export function parseStyle(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw fail('VALIDATION_ERROR', 'styleConfig must be an object.', 'styleConfig');
  }
}
