import jsqr from 'jsqr';
import sharp from 'sharp';

/** Returns the content of the QR code in a PNG or SVG image, or undefined. Transparent areas are read as white. */
export async function readQr(picture: Uint8Array): Promise<string | undefined> {
  const image = sharp(picture).flatten({ background: '#ffffff' }).ensureAlpha().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
}
