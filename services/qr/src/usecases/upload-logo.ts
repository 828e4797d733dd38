import { createHash } from 'node:crypto';
import { newId, type Principal } from '@tautan/kit';
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
 * Keeps a logo for QR codes of the workspace, re-encoded; the same file again is the same logo. Throws VALIDATION_ERROR
 * naming `logo`.
 */
export async function uploadLogo(
  { logos, baseUrl, now }: ImageDeps,
  { workspaceId }: Principal,
  file: Buffer,
): Promise<LogoView> {
  const sha256 = createHash('sha256').update(file).digest('hex');
  const known = await logos.bySource(workspaceId, sha256);
  if (known) return view(known, baseUrl);
  // As in the renderer: the library for pixels comes with the first logo.
  const { readLogo } = await import('../image/logo-file.js');
  const logo = { _id: newId('lgo'), workspaceId, ...(await readLogo(file)), sha256, createdAt: now() };
  return view(await logos.insert(logo), baseUrl);
}

const view = ({ _id, width, height, content }: Logo, baseUrl: string): LogoView => ({
  logoRunRef: _id,
  url: `${baseUrl}/api/v1/qr-codes/logos/${_id}`,
  width,
  height,
  bytes: content.length,
});
