import { fail } from '@tautan/kit';

/** The fields of a style, as they came. Throws VALIDATION_ERROR naming `styleConfig` for what is no JSON. */
export function parseStyle(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw fail('VALIDATION_ERROR', 'styleConfig must be an object.', 'styleConfig');
  }
}
