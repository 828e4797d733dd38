/** Where a code lies in its image, in pixels. */
export interface Layout {
  /** Pixels a module. */
  scale: number;
  /** From the image's edges to the code. */
  offset: number;
  /** Whether modules are large enough for shapes other than squares. */
  isFine: boolean;
}

/** Pixels a module that readers need. */
const LEAST = 2;
/** Pixels a module that shapes need. */
const FINE = 5;

/**
 * The layout of a code of `side` modules, with a quiet zone of `margin` modules, in an image of `size` pixels; undefined
 * where the image is too small for readers. Modules take whole pixels, so that their edges are sharp; what is left over
 * goes to the quiet zone. In the smallest images it is up to a module short instead.
 */
export function layoutOf(side: number, margin: number, size: number): Layout | undefined {
  const whole = Math.floor(size / (side + 2 * margin));
  const scale = whole < LEAST && size >= (side + 2 * Math.max(0, margin - 1)) * LEAST ? LEAST : whole;
  if (scale < LEAST) return undefined;
  return { scale, offset: Math.floor((size - side * scale) / 2), isFine: scale >= FINE };
}
