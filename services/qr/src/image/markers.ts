import type { StyleConfig } from './style.js';

/** Side of a marker (finder pattern, ISO/IEC 18004, 6.3.3) in modules. */
export const MARKER_SIDE = 7;

type Shape = StyleConfig['markerBorder'];

/**
 * Outer corner radii of a border, in modules. With a full circle (3.5), too few rows have the proportions of a marker,
 * and zbar misses a third of large codes.
 */
const borderRadius: Record<Shape, number> = { square: 0, rounded: 2.1, circle: 3.1 };

/** Side and corner radius, in modules. */
type Center = [side: number, radius: number];

/**
 * Side and corner radius of a marker's center, in modules, keyed by the shape of the border and then that of the
 * center. Readers look for the dark and light proportion 1:1:3:1:1 along rows, columns and diagonals. A circle in a
 * square, or a square in a circle, has this proportion only along rows and columns or only along diagonals. If the
 * proportion is missing along some of these lines, readers may mistake random data for a marker. With these values, it
 * is roughly right along all lines.
 */
const centers: Record<Shape, Record<Shape, Center>> = {
  square: { square: [3, 0], rounded: [3.1, 0.3], circle: [3.3, 0.8] },
  rounded: { square: [2.8, 0.3], rounded: [3, 0.9], circle: [3.2, 1.3] },
  circle: { square: [2.7, 0.6], rounded: [2.8, 1], circle: [3, 1.5] },
};

/**
 * The centers in codes with a logo. A logo may contain shapes that look like markers, so these centers are more similar
 * in shape to their border.
 */
const centersBesideLogo: typeof centers = {
  square: { square: [3, 0], rounded: [3.1, 0.2], circle: [3.15, 0.4] },
  rounded: { square: [2.85, 0.5], rounded: [3, 0.9], circle: [3.15, 1.3] },
  circle: { square: [2.85, 1.1], rounded: [2.9, 1.3], circle: [3, 1.5] },
};

/** Returns whether a module belongs to a marker, in a code of `side` modules. */
export const isMarker = (side: number, column: number, row: number): boolean =>
  (column < MARKER_SIDE || column >= side - MARKER_SIDE) &&
  (row < MARKER_SIDE || (column < MARKER_SIDE && row >= side - MARKER_SIDE));

/** The style of a code's markers. */
export interface MarkerStyle {
  border: Shape;
  center: Shape;
  hasLogo: boolean;
}

/** Returns the SVG path data of the three markers, one unit per module. Requires the even-odd fill rule. */
export function markersPath(side: number, { border, center, hasLogo }: MarkerStyle): string {
  const far = side - MARKER_SIDE;
  const outer = borderRadius[border];
  const [centerSide, centerRadius] = (hasLogo ? centersBesideLogo : centers)[border][center];
  const inset = (MARKER_SIDE - centerSide) / 2;
  const marker = (x: number, y: number) =>
    roundedSquare(x, y, MARKER_SIDE, outer) +
    // The ring is one module wide.
    roundedSquare(x + 1, y + 1, MARKER_SIDE - 2, (outer * (MARKER_SIDE - 2)) / MARKER_SIDE) +
    roundedSquare(x + inset, y + inset, centerSide, centerRadius);
  return marker(0, 0) + marker(far, 0) + marker(0, far);
}

/** Returns the SVG path data of a square with rounded corners, drawn clockwise. */
function roundedSquare(x: number, y: number, side: number, r: number): string {
  const straight = side - 2 * r;
  const edge = (letter: string, length: number) => (straight > 0 ? `${letter}${rounded(length)}` : '');
  const corner = (dx: number, dy: number) => (r > 0 ? `a${r} ${r} 0 0 1 ${dx} ${dy}` : '');
  return (
    `M${rounded(x + r)} ${rounded(y)}` +
    `${edge('h', straight)}${corner(r, r)}${edge('v', straight)}${corner(-r, r)}` +
    `${edge('h', -straight)}${corner(-r, -r)}${edge('v', -straight)}${corner(r, -r)}z`
  );
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
