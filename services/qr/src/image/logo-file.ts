import { fail, faultCode } from '@tautan/kit';
import sharp from 'sharp';
import { drawApart, type Uploader } from './draw-apart.js';
import type { Kind } from './draw-unknown.js';
import { assertHarmless } from './svg-logo.js';
import type { LogoImage } from './svg.js';

/** Largest file that is taken, bytes. */
export const FILE_MAX = 2 * 1024 * 1024;
/** Each scan of a progressive JPEG goes over the whole image: thousands of them take a minute. Encoders make about ten. */
const SCANS_MAX = 100;

/**
 * A logo as it is kept: PNG, at most 512 pixels a side, without metadata; of an animation the first frame. Throws
 * VALIDATION_ERROR naming `logo` for what is no PNG, JPEG, WebP or SVG by its content, is damaged, or is too large, and
 * SERVICE_UNAVAILABLE as drawApart does.
 */
export async function readLogo(file: Buffer, uploader: Uploader): Promise<LogoImage> {
  if (file.length === 0) throw refused('is empty');
  if (file.length > FILE_MAX) throw refused(`has at most ${FILE_MAX / 1024 / 1024} MiB`);
  const kind = kindOf(file);
  if (!kind) throw refused('must be a PNG, JPEG, WebP or SVG image');
  if (kind === 'svg') assertHarmless(file, refused);
  if (kind === 'jpeg' && scansIn(file) > SCANS_MAX) throw refused(`has at most ${SCANS_MAX} scans`);
  try {
    const content = await drawApart(file, kind, uploader);
    const { width, height } = await sharp(content).metadata();
    return { content, width, height };
  } catch (error) {
    if (faultCode(error)) throw error;
    throw refused('cannot be read as an image of at most 4096 × 4096 pixels');
  }
}

/** What a file is, by its first bytes: only what is wanted is ever given to a decoder. */
function kindOf(file: Buffer): Kind | undefined {
  if (file.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'png';
  if (file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  if (file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  return /<svg[\s>/]/.test(file.toString('utf8', 0, 65_536)) ? 'svg' : undefined;
}

/** The number of scans of a JPEG (ITU-T T.81, B.2.3). Within a scan, the bytes of its marker do not occur. */
function scansIn(file: Buffer): number {
  let count = 0;
  for (let at = file.indexOf(START_OF_SCAN); at !== -1; at = file.indexOf(START_OF_SCAN, at + 2)) count += 1;
  return count;
}
const START_OF_SCAN = Buffer.of(0xff, 0xda);

const refused = (why: string): Error => fail('VALIDATION_ERROR', `logo ${why}.`, 'logo');
