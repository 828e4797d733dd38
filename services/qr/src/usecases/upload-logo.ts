import { createHash } from 'node:crypto';
import { faultCode, newId, type Principal } from '@tautan/kit';
import { isDuplicateKey, type Transaction } from '@tautan/kit/mongo';
import { assertLogoIncluded, tooManyLogos } from '../domain/logos.js';
import type { Logo } from '../store/logos.js';
import type { ImageDeps } from './image-deps.js';

/** A logo as its uploader sees it. */
export interface LogoView {
  logoRunRef: string;
  url: string;
  width: number;
  height: number;
  bytes: number;
}

/**
 * Stores a logo for QR codes of the workspace, re-encoded; the same file again is the same logo. Throws VALIDATION_ERROR
 * naming `logo` for a file that is not accepted, or when the workspace has `maxLogos`; PLAN_LIMIT_EXCEEDED naming
 * `qrLogoEnabled`.
 */
export async function uploadLogo(deps: ImageDeps, { workspaceId, plan }: Principal, file: Buffer): Promise<LogoView> {
  const { logos, plans, baseUrl, now } = deps;
  assertLogoIncluded(plans[plan]);
  const sha256 = createHash('sha256').update(file).digest('hex');
  const known = await logos.bySource(workspaceId, sha256);
  if (known) return view(known, baseUrl);
  // As in the renderer: the library for pixels comes with the first logo.
  const { readLogo } = await import('../image/logo-file.js');
  const at = now();
  const logo = { _id: newId('lgo'), workspaceId, ...(await readLogo(file)), sha256, createdAt: at, usedAt: at };
  return view(await insert(deps, logo), baseUrl);
}

/** Stores a logo; returns it, or the one that was made from the same file meanwhile. */
async function insert(deps: ImageDeps, logo: Logo): Promise<Logo> {
  const { logos, transact, uploadMutex, maxLogos, unusedLogoDays } = deps;
  const store = ({ session }: Transaction) => logos.insert(logo, maxLogos, session);
  try {
    if (await uploadMutex.run(logo.workspaceId, () => transact(null, store))) return logo;
    throw tooManyLogos(maxLogos, unusedLogoDays);
  } catch (error) {
    const refused = isDuplicateKey(error) || faultCode(error) === 'VALIDATION_ERROR';
    const other = refused ? await logos.bySource(logo.workspaceId, logo.sha256) : null;
    if (other) return other;
    throw error;
  }
}

const view = ({ _id, width, height, content }: Logo, baseUrl: string): LogoView => ({
  logoRunRef: _id,
  url: `${baseUrl}/api/v1/qr-codes/logos/${_id}`,
  width,
  height,
  bytes: content.length,
});
