import type { Principal } from '@tautan/kit';
import { readRange, type RangeInput } from '../domain/range.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { findQrTarget } from '../../qr-routes/steps/find-qr-target.js';
import { subjectStats, type SubjectStats } from './get-link-stats.js';

/**
 * The scans of a QR code over a range of time. Throws VALIDATION_ERROR naming what is wrong with the range, NOT_FOUND, or
 * FORBIDDEN for another workspace's code.
 */
export async function getQrCodeStats(
  deps: Pick<ApiDeps, 'store' | 'stats' | 'now'>,
  { workspaceId }: Principal,
  input: RangeInput & { qrCodeId: string },
): Promise<SubjectStats> {
  const range = readRange(input, deps.now());
  const { _id } = await findQrTarget(deps, workspaceId, input.qrCodeId);
  return subjectStats(deps, _id, range);
}
