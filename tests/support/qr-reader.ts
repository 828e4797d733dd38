import jsqr from 'jsqr';
import sharp from 'sharp';

/** What a reader takes a picture for, PNG or SVG, as it is, transparency on white; undefined: for no QR code. */
export async function readQr(picture: Uint8Array): Promise<string | undefined> {
  const image = sharp(picture).flatten({ background: '#ffffff' }).ensureAlpha().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
}
