import type { Principal } from '@tautan/kit';
import { assertLogoIncluded } from '../domain/logos.js';
import { parseStyle } from '../domain/style-json.js';
import { readStyle } from '../image/style.js';
import { findCode } from '../steps/find-code.js';
import { checkLogo } from '../steps/check-logo.js';
import type { ImageDeps } from '../image-deps.js';
import { renderImage, type ImageResponse, type ImageRequest } from '../steps/render-image.js';

export interface PreviewInput extends ImageRequest {
  /** QR code whose URL is drawn. Default: an example URL that is as long as those of new QR codes. */
  id?: string | undefined;
  /** JSON. */
  styleConfig?: string | undefined;
  /** Id of an uploaded logo (`lgo_…`). The API prescribes the name `logoRunRef`. */
  logoRunRef?: string | undefined;
}

/**
 * As long as a slug that the link service generates, so that a preview has as many modules as the QR code will have.
 */
const EXAMPLE_SLUG = 'preview';

/**
 * Draws a QR code in a style without storing anything. Throws NOT_FOUND, FORBIDDEN, VALIDATION_ERROR naming the field,
 * or PLAN_LIMIT_EXCEEDED naming `qrLogoEnabled` if the plan does not include logos and the code does not already have
 * the given logo.
 */
export async function previewQrCode(
  deps: ImageDeps,
  { workspaceId, plan }: Principal,
  { id, styleConfig = '{}', logoRunRef, ...request }: PreviewInput,
): Promise<ImageResponse> {
  const style = readStyle(parseStyle(styleConfig), logoRunRef !== undefined);
  // With a requested size, rendering makes this check, and its error names `size` instead of `styleConfig.size`.
  if (request.size === undefined) deps.checkScannable(style);
  const { _id, slug, title, logoRunRef: current } = id ? await findCode(deps, workspaceId, id) : example;
  if (logoRunRef !== undefined) {
    if (logoRunRef !== current) assertLogoIncluded(deps.plans[plan]);
    await checkLogo(deps.logos, workspaceId, logoRunRef);
  }
  return renderImage(
    deps,
    { _id, slug, title, workspaceId, styleConfig: style, logoRunRef: logoRunRef ?? null },
    request,
  );
}

const example = { _id: EXAMPLE_SLUG, slug: EXAMPLE_SLUG, title: null, logoRunRef: null };
