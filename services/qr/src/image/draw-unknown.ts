import sharp, { type SharpOptions } from 'sharp';
import { toPng } from './png.js';

/** Largest side that is taken, and that is kept, pixels. */
export const SIDE_MAX = 4_096;
const SIDE_KEPT = 512;
/** What an SVG document is drawn at without being told otherwise, dots per inch. */
const DENSITY = 72;

export type Kind = 'png' | 'jpeg' | 'webp' | 'svg';

/**
 * An image of somebody else's as PNG, at most 512 pixels a side, without metadata; of an animation the first frame. Nothing
 * is decoded before its size is known from the header. Throws for what is damaged, of another kind, or has more than 4096
 * pixels a side.
 */
export async function drawUnknown(file: Buffer, kind: Kind): Promise<Buffer> {
  const options: SharpOptions = { limitInputPixels: SIDE_MAX * SIDE_MAX, failOn: 'error', pages: 1 };
  const { format, width, height } = await sharp(file, options).metadata();
  if (format !== kind) throw new Error(`It is ${format}.`);
  if (width > SIDE_MAX || height > SIDE_MAX) throw new Error(`It has ${width} × ${height} pixels.`);
  const density = kind === 'svg' ? { density: (DENSITY * SIDE_KEPT) / Math.max(width, height) } : {};
  const image = sharp(file, { ...options, ...density })
    .autoOrient()
    .resize(SIDE_KEPT, SIDE_KEPT, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  return toPng(image);
}
