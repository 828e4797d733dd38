import { newUlid } from '@tautan/kit';
import type { LinkSnapshot, QrRoute, QrStatus } from './qr-code.js';

/** Returns a new snapshot of the link that a QR code follows. */
export const snapshotOf = ({ url, status }: NonNullable<QrRoute['followed']>): LinkSnapshot => ({
  url,
  status: status as QrStatus,
  rev: newUlid(),
});
