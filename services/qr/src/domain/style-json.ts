import { fail } from '@tautan/kit';

/**
 * Parses the JSON of a style. Throws VALIDATION_ERROR naming `styleConfig` if the JSON is malformed. The value may
 * have any type: readStyle and patchStyle check that it is an object.
 */
export function parseStyle(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw fail('VALIDATION_ERROR', 'styleConfig must be valid JSON.', 'styleConfig');
  }
}
