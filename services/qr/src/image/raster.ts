import sharp from 'sharp';
import { AtMost } from './at-most.js';
import { toPng } from './png.js';

/** Images that are worked on at once; each takes up to some 70 MiB while it is. */
const AT_ONCE = 2;
/** Images that may wait for their turn. */
const WAITING = 64;

const work = new AtMost(AT_ONCE, WAITING);

/** Does something with an image when it is its turn. Throws SERVICE_UNAVAILABLE when too many are waiting. */
export const inTurn = <T>(make: () => Promise<T>): Promise<T> => work.run(make);

/** An SVG document that was drawn here as PNG, in the document's own size. */
export const rasterise = (svg: Buffer): Promise<Buffer> => inTurn(() => toPng(sharp(svg)));
