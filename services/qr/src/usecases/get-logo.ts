import { fail, isId, type Principal } from '@tautan/kit';
import { matchesEtag } from '../image/if-none-match.js';
import type { LogoStore } from '../store/logos.js';
import type { ImageResponse } from '../steps/render-image.js';

/** Returns a logo of the workspace. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace. */
export async function getLogo(
  { logos }: { logos: LogoStore },
  { workspaceId }: Principal,
  {
    logoRunRef,
    knownEtag,
  }: {
    /** Id of an uploaded logo (`lgo_…`). The API prescribes the name `logoRunRef`. */
    logoRunRef: string;
    knownEtag?: string | undefined;
  },
): Promise<ImageResponse> {
  const logo = isId(logoRunRef, 'lgo') ? await logos.byId(workspaceId, logoRunRef) : null;
  if (!logo && isId(logoRunRef, 'lgo') && (await logos.existsAnywhere(logoRunRef))) {
    throw fail('FORBIDDEN', 'The logo belongs to another workspace.');
  }
  if (!logo) throw fail('NOT_FOUND', 'No logo with this id.');
  // Logos are immutable.
  const etag = `"${logo._id}"`;
  const notModified = matchesEtag(knownEtag, etag);
  const content = notModified ? Buffer.alloc(0) : logo.content;
  return { contentType: 'image/png', etag, content, filename: `${logo._id}.png`, notModified };
}
