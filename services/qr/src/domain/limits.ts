import { fail } from '@tautan/kit';
import type { QrCode, QrRoute, QrStatus } from './qr-code.js';

const MAX_SCANS = 1_000_000_000;

type Limits = Pick<QrCode, 'expiresAt' | 'maxScans'>;
type Counted = Pick<QrRoute, 'scanCount' | 'remaining'>;

/** Validates a scan limit, a whole number from 1 to 1,000,000,000. Throws VALIDATION_ERROR naming `maxScans`. */
export function checkMaxScans(value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= MAX_SCANS) return value;
  throw fail('VALIDATION_ERROR', `maxScans must be a whole number from 1 to ${MAX_SCANS}.`, 'maxScans');
}

/** Returns the name of the limit that a QR code has reached; undefined if it has reached none. */
export function reachedLimit({ expiresAt, maxScans }: Limits, remaining: number | null, now: Date) {
  if (expiresAt && expiresAt <= now) return 'expiresAt';
  return maxScans !== null && remaining !== null && remaining <= 0 ? 'maxScans' : undefined;
}

/**
 * Returns the status of a QR code at a time. An active code that has reached a limit is expired, even before a sweep
 * stores the status.
 */
export const statusAt = (code: Pick<QrCode, 'status'> & Limits, counted: Counted, now: Date): QrStatus =>
  code.status === 'active' && reachedLimit(code, remainingOf(counted), now) ? 'expired' : code.status;

/** Returns how many scans a QR code still allows; null without a limit. */
export const remainingOf = ({ remaining }: Counted): number | null => remaining ?? null;

/**
 * Returns how many scans would remain if the limit became `maxScans`; null if `maxScans` is null (no limit). The scans
 * that counted against the previous limit are subtracted, or all scans if there was no limit. Negative if they exceed
 * the new limit.
 */
export function remainingUnder(maxScans: number | null, before: Limits, counted: Counted): number | null {
  if (maxScans === null) return null;
  if (maxScans === before.maxScans) return remainingOf(counted);
  const { remaining, scanCount } = counted;
  const used = before.maxScans === null || remaining === undefined ? scanCount : before.maxScans - remaining;
  return maxScans - used;
}
