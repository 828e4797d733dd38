/** The position of a code in its image, in pixels. */
export interface Layout {
  /** Pixels per module. */
  scale: number;
  /** Distance from the image's edges to the code. */
  offset: number;
  /** Whether modules are large enough for shapes other than squares. */
  allowsShapes: boolean;
}

/** Minimum pixels per module that readers need. */
const MIN_SCALE = 2;
/** Minimum pixels per module for shapes other than squares. */
const MIN_SHAPE_SCALE = 5;

/**
 * Returns the layout of a code of `side` modules with a quiet zone of `margin` modules in an image of `size` pixels;
 * undefined if the image is too small for readers. Each module is a whole number of pixels wide, so that its edges are
 * sharp, and the remaining pixels go to the quiet zone. In the smallest images, the quiet zone can be up to one module
 * smaller.
 */
export function layoutOf(side: number, margin: number, size: number): Layout | undefined {
  const whole = Math.floor(size / (side + 2 * margin));
  const scale = whole < MIN_SCALE && size >= (side + 2 * Math.max(0, margin - 1)) * MIN_SCALE ? MIN_SCALE : whole;
  if (scale < MIN_SCALE) return undefined;
  return { scale, offset: Math.floor((size - side * scale) / 2), allowsShapes: scale >= MIN_SHAPE_SCALE };
}
