import { fail, faultCode } from '@tautan/kit';
import sharp from 'sharp';
import { defaultLimits, renderInSubprocess, type Uploader } from './render-in-subprocess.js';
import type { Kind } from './render-untrusted.js';
import { assertHarmless } from './svg-logo.js';
import type { LogoImage } from './svg.js';

/** Maximum file size, bytes. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;
/**
 * Maximum number of scans in a JPEG. Each scan of a progressive JPEG covers the whole image, so decoding thousands of
 * them takes a minute. Encoders produce about ten.
 */
const MAX_JPEG_SCANS = 100;

/**
 * Returns an uploaded logo as PNG, at most 512 pixels per side, without metadata; only the first frame of an animation.
 * Throws VALIDATION_ERROR naming `logo` if the content is not PNG, JPEG, WebP or SVG, is damaged or too large, is a
 * JPEG with too many scans, or is an SVG that `assertHarmless` refuses, and SERVICE_UNAVAILABLE as renderInSubprocess
 * does.
 */
export async function readLogo(file: Buffer, uploader: Uploader, limits = defaultLimits): Promise<LogoImage> {
  if (file.length === 0) throw refused('must not be empty');
  if (file.length > MAX_FILE_BYTES) throw refused(`must be at most ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
  const kind = kindOf(file);
  if (!kind) throw refused('must be a PNG, JPEG, WebP or SVG image');
  if (kind === 'svg') assertHarmless(file, refused);
  if (kind === 'jpeg' && scansIn(file) > MAX_JPEG_SCANS)
    throw refused(`must not be a JPEG with more than ${MAX_JPEG_SCANS} scan segments`);
  try {
    const content = await renderInSubprocess(file, kind, uploader, limits);
    const { width, height } = await sharp(content).metadata();
    return { content, width, height };
  } catch (error) {
    if (faultCode(error)) throw error;
    throw refused('must be a readable image of at most 4096 × 4096 pixels');
  }
}

/** Detects the type of a file by its content. Only accepted types reach a decoder. */
function kindOf(file: Buffer): Kind | undefined {
  if (file.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'png';
  if (file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  if (file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  return /<svg[\s>/]/.test(file.toString('utf8', 0, 65_536)) ? 'svg' : undefined;
}

/**
 * Returns the number of scans of a JPEG (ITU-T T.81, B.2.3). The bytes of the start-of-scan marker do not occur within
 * a scan.
 */
function scansIn(file: Buffer): number {
  let count = 0;
  for (let at = file.indexOf(START_OF_SCAN); at !== -1; at = file.indexOf(START_OF_SCAN, at + 2)) count += 1;
  return count;
}
const START_OF_SCAN = Buffer.of(0xff, 0xda);

const refused = (why: string): Error => fail('VALIDATION_ERROR', `logo ${why}.`, 'logo');
