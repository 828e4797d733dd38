import { isNumeric, toNumber } from './values.js';

/** Whether a value counts as true: not missing, null, false or a zero. */
export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'boolean') return value;
  return isNumeric(value) ? toNumber(value) !== 0 : true;
}
