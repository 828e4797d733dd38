import { fail } from '@tautan/kit';
import type { QrCode, QrRoute, QrStatus } from './qr-code.js';

const MAX_SCANS = 1_000_000_000;

type Limits = Pick<QrCode, 'expiresAt' | 'maxScans'>;
type Counted = Pick<QrRoute, 'scanCount' | 'remaining'>;

/** A limit of scans: a whole number from 1 to 1,000,000,000. Throws VALIDATION_ERROR naming `maxScans`. */
export function checkMaxScans(value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= MAX_SCANS) return value;
  throw fail('VALIDATION_ERROR', `maxScans must be a whole number from 1 to ${MAX_SCANS}.`, 'maxScans');
}

/** The limit that a QR code has reached, by the field that sets it. */
export function reachedLimit({ expiresAt, maxScans }: Limits, remaining: number | null, now: Date) {
  if (expiresAt && expiresAt <= now) return 'expiresAt';
  return maxScans !== null && remaining !== null && remaining <= 0 ? 'maxScans' : undefined;
}

/** The status of a QR code at a time: an active one that has reached a limit is expired before a sweep marks it so. */
export const statusAt = (code: Pick<QrCode, 'status'> & Limits, counted: Counted, now: Date): QrStatus =>
  code.status === 'active' && reachedLimit(code, remainingOf(counted), now) ? 'expired' : code.status;

/** Scans that a QR code still allows; null without a limit. */
export const remainingOf = ({ remaining }: Counted): number | null => remaining ?? null;

/** Scans that a new limit would still allow, given what was used of the one until now. */
export function remainingUnder(maxScans: number | null, before: Limits, counted: Counted): number | null {
  if (maxScans === null) return null;
  if (maxScans === before.maxScans) return remainingOf(counted);
  const { remaining, scanCount } = counted;
  const used = before.maxScans === null || remaining === undefined ? scanCount : before.maxScans - remaining;
  return Math.max(0, maxScans - used);
}
