import { createHash, randomBytes } from 'node:crypto';
import { newUlid, type Principal } from '@tautan/kit';
import { findCode } from './find-code.js';
import type { ImageDeps } from './image-deps.js';

const HOUR_MS = 3_600_000;

/**
 * Makes a token that stands for a QR code's image alone; it is kept as its hash. A repetition under the same operation id
 * replaces the token of the first attempt, which nobody received. Throws NOT_FOUND, FORBIDDEN.
 */
export async function createDownloadToken(
  deps: ImageDeps,
  { workspaceId }: Principal,
  { id, operationId }: { id: string; operationId?: string | undefined },
): Promise<{ token: string; url: string; expiresAt: string }> {
  const code = await findCode(deps, workspaceId, id);
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(deps.now().getTime() + deps.tokenHours * HOUR_MS);
  if (operationId !== undefined) await deps.downloadTokens.removeOf({ operationId, workspaceId });
  const created = { _id: hashOf(token), operationId: operationId ?? newUlid(), workspaceId };
  await deps.downloadTokens.insert({ ...created, qrCodeId: code._id, expiresAt });
  return { token, url: `${deps.baseUrl}/q/${token}`, expiresAt: expiresAt.toISOString() };
}

/** What a token is kept as: SHA-256, hexadecimal. A token is as random as its hash, so that no salt is needed. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
