import { contour, DOWN, UP, type IsDrawn, type CornerRadii } from './contour.js';
import type { Matrix } from './matrix.js';
import type { StyleConfig } from './style.js';

type DotStyle = StyleConfig['dotStyle'];

/** Radius of a dot, in modules. */
const RADIUS = 0.48;

/** Corner radii of the styles in which adjacent modules merge. */
const corners: Record<Exclude<DotStyle, 'dots'>, CornerRadii> = {
  square: { outer: () => 0, inner: 0 },
  rounded: { outer: () => 0.5, inner: 0.2 },
  // Rounded at the upper left and lower right, like a leaf.
  classy: { outer: (incoming) => (incoming === UP || incoming === DOWN ? 0.5 : 0), inner: 0 },
};

/**
 * Returns the SVG path data of drawn modules, one unit per module. Alignment patterns are square in every style,
 * because readers depend on their shape.
 */
export function dotsPath(style: DotStyle, { side, isAlignment }: Matrix, isDrawn: IsDrawn): string {
  if (style === 'square') return contour(side, isDrawn, corners.square);
  const alignment: IsDrawn = (column, row) => isDrawn(column, row) && isAlignment(column, row);
  const others: IsDrawn = (column, row) => isDrawn(column, row) && !isAlignment(column, row);
  const shaped = style === 'dots' ? circles(side, others) : contour(side, others, corners[style]);
  return shaped + contour(side, alignment, corners.square);
}

function circles(side: number, isDrawn: IsDrawn): string {
  const arc = (across: number) => `a${RADIUS} ${RADIUS} 0 1 0 ${across} 0`;
  const circle = `${arc(2 * RADIUS)}${arc(-2 * RADIUS)}z`;
  let path = '';
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      if (isDrawn(column, row)) path += `M${(column + 0.5 - RADIUS).toFixed(2)} ${row + 0.5}${circle}`;
    }
  }
  return path;
}
