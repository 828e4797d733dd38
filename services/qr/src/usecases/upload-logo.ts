import { createHash } from 'node:crypto';
import { faultCode, newId, type Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import { isDuplicateKey, type Transaction } from '@tautan/kit/mongo';
import { assertLogoIncluded, tooManyLogos } from '../domain/logos.js';
import type { Logo } from '../store/logos.js';
import type { ImageDeps } from '../image-deps.js';

/** A logo as represented in the API. */
export interface LogoView {
  /** Id of an uploaded logo (`lgo_…`). The API prescribes the name `logoRunRef`. */
  logoRunRef: string;
  url: string;
  width: number;
  height: number;
  bytes: number;
}

/**
 * Re-encodes an image, stores it as a logo of the workspace, and emits `qr_logo.uploaded`. Uploading the same file
 * again returns the same logo and counts as a use of it. Throws VALIDATION_ERROR naming `logo` for a file that is not
 * accepted, or if the workspace already has `maxLogos` logos; PLAN_LIMIT_EXCEEDED naming `qrLogoEnabled` if the plan
 * excludes logos; SERVICE_UNAVAILABLE if too many images are waiting, or if `deps.signal` is aborted before it is this
 * image's turn.
 */
export async function uploadLogo(
  deps: ImageDeps & Pick<CallDeps, 'signal'>,
  by: Principal,
  { content }: { content: Buffer },
): Promise<LogoView> {
  const { workspaceId, plan } = by;
  const { logos, plans, baseUrl, signal, now } = deps;
  assertLogoIncluded(plans[plan]);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const known = await logos.bySource(workspaceId, sha256);
  if (known && (await keep(deps, known))) return view(known, baseUrl);
  // Loaded lazily, as in the renderer.
  const { readLogo } = await import('../image/logo-file.js');
  const image = await readLogo(content, { workspaceId, signal });
  const at = now();
  const logo = { _id: newId('lgo'), workspaceId, ...image, sha256, createdAt: at, usedAt: at };
  return view(await insert(deps, by, logo), baseUrl);
}

/** Sets the time of a logo's last use to now. Returns whether the logo still exists. */
const keep = ({ logos, transact, now }: ImageDeps, { _id: id, workspaceId }: Logo): Promise<boolean> =>
  transact(null, async ({ session }) => (await logos.touch(workspaceId, [id], now(), session)) === 1);

/** Inserts a logo. Returns it, or the logo that a concurrent request created from the same file. */
async function insert(deps: ImageDeps, by: Principal, logo: Logo): Promise<Logo> {
  const { logos, transact, uploadMutex, maxLogos, unusedLogoDays } = deps;
  const store = async (tx: Transaction): Promise<boolean> => {
    if (!(await logos.insert(logo, maxLogos, tx.session))) return false;
    const { _id: id, width, height, content } = logo;
    const target = { type: 'qr_logo', id, label: id };
    tx.emit({ type: 'qr_logo.uploaded', target, data: { id, width, height, bytes: content.length } });
    return true;
  };
  try {
    if (await uploadMutex.run(logo.workspaceId, () => transact(by, store))) return logo;
    throw tooManyLogos(maxLogos, unusedLogoDays);
  } catch (error) {
    const mayExist = isDuplicateKey(error) || faultCode(error) === 'VALIDATION_ERROR';
    const other = mayExist ? await logos.bySource(logo.workspaceId, logo.sha256) : null;
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
