import { randomBytes } from 'node:crypto';
import { newUlid, type Principal } from '@tautan/kit';
import { tokenHash } from '../domain/download-token.js';
import { findCode } from '../steps/find-code.js';
import { targetOf } from '../steps/commit-change.js';
import type { ImageDeps } from '../image-deps.js';

const HOUR_MS = 3_600_000;

/**
 * Creates a token that grants access to a QR code's image only, stores its hash, and emits `download_token.created`. A
 * retry with the same operation id replaces the token of the earlier attempt, which the caller did not receive. Throws
 * NOT_FOUND or FORBIDDEN.
 */
export async function createDownloadToken(
  deps: ImageDeps,
  by: Principal,
  { id, operationId = newUlid() }: { id: string; operationId?: string | undefined },
): Promise<{ token: string; url: string; expiresAt: string }> {
  const { workspaceId } = by;
  const code = await findCode(deps, workspaceId, id);
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(deps.now().getTime() + deps.tokenHours * HOUR_MS);
  await deps.transact(by, async (tx) => {
    await deps.downloadTokens.removeOf({ operationId, workspaceId }, tx.session);
    const created = { _id: tokenHash(token), operationId, workspaceId, qrCodeId: code._id, expiresAt };
    await deps.downloadTokens.insert(created, tx.session);
    const data = { qrCodeId: code._id, expiresAt: expiresAt.toISOString() };
    tx.emit({ type: 'download_token.created', target: targetOf(code), data });
  });
  return { token, url: `${deps.baseUrl}/q/${token}`, expiresAt: expiresAt.toISOString() };
}
