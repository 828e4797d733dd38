import sharp, { type Sharp } from 'sharp';

/** Longest work on one image, seconds. */
const LONGEST_S = 5;

// One thread an image, and nothing remembered: what there is of memory and processors is shared with all else.
sharp.concurrency(1);
sharp.cache(false);

/** An image as PNG, without anything of its metadata. Rejects when that takes longer than five seconds. */
export const toPng = (image: Sharp): Promise<Buffer> =>
  image.timeout({ seconds: LONGEST_S }).png({ compressionLevel: 9 }).toBuffer();
