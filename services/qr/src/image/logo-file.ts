import { fail, faultCode } from '@tautan/kit';
import sharp from 'sharp';
import { drawApart } from './draw-apart.js';
import { drawUnknown, type Kind } from './draw-unknown.js';
import { inTurn } from './raster.js';
import { assertHarmless } from './svg-logo.js';
import type { LogoImage } from './svg.js';

/** Largest file that is taken, bytes. */
export const FILE_MAX = 2 * 1024 * 1024;

/**
 * A logo as it is kept: PNG, at most 512 pixels a side, without metadata; of an animation the first frame. Throws
 * VALIDATION_ERROR naming `logo` for what is no PNG, JPEG, WebP or SVG by its content, is damaged, or is too large, and
 * SERVICE_UNAVAILABLE when too many images are waiting.
 */
export async function readLogo(file: Buffer): Promise<LogoImage> {
  if (file.length === 0) throw refused('is empty');
  if (file.length > FILE_MAX) throw refused(`has at most ${FILE_MAX / 1024 / 1024} MiB`);
  const kind = kindOf(file);
  if (!kind) throw refused('must be a PNG, JPEG, WebP or SVG image');
  if (kind === 'svg') assertHarmless(file, refused);
  try {
    const content = await (kind === 'svg' ? drawApart(file) : inTurn(() => drawUnknown(file, kind)));
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

const refused = (why: string): Error => fail('VALIDATION_ERROR', `logo ${why}.`, 'logo');
