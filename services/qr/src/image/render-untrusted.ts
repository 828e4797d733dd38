import sharp, { type SharpOptions } from 'sharp';
import { toPng } from './png.js';

/** Maximum side of the input, pixels. */
export const MAX_SIDE = 4_096;
/** Maximum side of the output, pixels. */
const MAX_OUTPUT_SIDE = 512;
/** Default rendering density of SVG documents, dots per inch. */
const DENSITY = 72;

export type Kind = 'png' | 'jpeg' | 'webp' | 'svg';

/**
 * Renders an untrusted image as PNG, at most 512 pixels per side, without metadata; only the first frame of an
 * animation. The size is checked in the header before anything is decoded. Throws if the image is damaged, not of the
 * given type, or larger than 4096 pixels per side.
 */
export async function renderUntrusted(file: Buffer, kind: Kind): Promise<Buffer> {
  const options: SharpOptions = { limitInputPixels: MAX_SIDE * MAX_SIDE, failOn: 'error', pages: 1 };
  const { format, width, height } = await sharp(file, options).metadata();
  if (format !== kind) throw new Error(`The file is ${format}.`);
  if (width > MAX_SIDE || height > MAX_SIDE) throw new Error(`The image has ${width} × ${height} pixels.`);
  const density = kind === 'svg' ? { density: (DENSITY * MAX_OUTPUT_SIDE) / Math.max(width, height) } : {};
  const image = sharp(file, { ...options, ...density })
    .autoOrient()
    .resize(MAX_OUTPUT_SIDE, MAX_OUTPUT_SIDE, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  return toPng(image);
}
