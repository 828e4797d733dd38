import sharp, { type Sharp } from 'sharp';

/** Timeout for one image. */
const TIMEOUT_SECONDS = 5;

// One thread per image and no cache, to bound the memory and processor usage.
sharp.concurrency(1);
sharp.cache(false);

/** Returns an image as PNG without metadata. Rejects after five seconds. */
export const toPng = (image: Sharp): Promise<Buffer> =>
  image.timeout({ seconds: TIMEOUT_SECONDS }).png({ compressionLevel: 9 }).toBuffer();
