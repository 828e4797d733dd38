import type { Principal } from '@tautan/kit';
import { readRange, type RangeInput } from '../domain/range.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { findQrCode } from '../../qr-routes/steps/find-qr-code.js';
import { subjectStats, type SubjectStats } from '../steps/subject-stats.js';

/**
 * Returns the statistics of a QR code in a time range. Throws VALIDATION_ERROR naming the invalid field of the range,
 * NOT_FOUND, or FORBIDDEN for a code of another workspace.
 */
export async function getQrCodeStats(
  deps: Pick<ApiDeps, 'store' | 'stats' | 'signal' | 'now'>,
  { workspaceId }: Principal,
  input: RangeInput & { qrCodeId: string },
): Promise<SubjectStats> {
  const range = readRange(input, deps.now());
  const { _id } = await findQrCode(deps, workspaceId, input.qrCodeId);
  return subjectStats(deps, _id, range, input);
}
