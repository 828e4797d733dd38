import sharp from 'sharp';
import { Semaphore } from './semaphore.js';
import { toPng } from './png.js';

/** Maximum number of images rendered concurrently; each needs up to 70 MiB. */
const MAX_CONCURRENT = 2;
/** Maximum number of waiting images. */
const MAX_WAITING = 64;

const semaphore = new Semaphore({ concurrency: MAX_CONCURRENT, waiting: MAX_WAITING });

/**
 * Renders a trusted SVG document as PNG at the document's size. Throws SERVICE_UNAVAILABLE if too many images are
 * waiting.
 */
export const rasterize = (svg: Buffer): Promise<Buffer> => semaphore.run(() => toPng(sharp(svg)));
