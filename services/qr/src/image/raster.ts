import sharp from 'sharp';
import { AtMost } from './at-most.js';
import { toPng } from './png.js';

/** Images that are worked on at once; each takes up to some 70 MiB while it is. */
const AT_ONCE = 2;
/** Images that may wait for their turn. */
const WAITING = 64;

const work = new AtMost({ atOnce: AT_ONCE, waiting: WAITING });

/** Returns an SVG document of our own as PNG, in the document's own size. Throws SERVICE_UNAVAILABLE when too many are waiting. */
export const rasterise = (svg: Buffer): Promise<Buffer> => work.run(() => toPng(sharp(svg)));
