/** Returns whether a module is drawn. */
export type IsDrawn = (column: number, row: number) => boolean;

/** Directions of an outline, clockwise. */
export const RIGHT = 0;
export const DOWN = 1;
export const LEFT = 2;
export const UP = 3;
export type Direction = typeof RIGHT | typeof DOWN | typeof LEFT | typeof UP;

/** Corner radii in modules, at most 0.5. */
export interface CornerRadii {
  /** Returns the radius of a convex corner by the direction in which the outline arrives at it. */
  outer: (incoming: Direction) => number;
  /** Radius of every concave corner. */
  inner: number;
}

/** A corner of an outline, with its incoming and outgoing direction. */
interface Corner {
  x: number;
  y: number;
  from: Direction;
  to: Direction;
}

const stepX = [1, 0, -1, 0] as const;
const stepY = [0, 1, 0, -1] as const;
const right = (direction: Direction): Direction => ((direction + 1) % 4) as Direction;
const left = (direction: Direction): Direction => ((direction + 3) % 4) as Direction;

/**
 * Returns the outline of all drawn modules as SVG path data, one unit per module, with one closed subpath per area and
 * per hole. Modules that only touch at a corner are separate.
 */
export function contour(side: number, isDrawn: IsDrawn, corners: CornerRadii): string {
  const edges = edgesOf(side, isDrawn);
  let path = '';
  for (const first of edges) {
    if (!edges.has(first)) continue;
    path += outline(cornersFrom(first, edges, side), corners);
  }
  return path;
}

/** Encodes an edge of an area as a number; the area is to its right. */
const edge = (side: number, x: number, y: number, direction: Direction): number => (y * (side + 1) + x) * 4 + direction;

function edgesOf(side: number, isDrawn: IsDrawn): Set<number> {
  const edges = new Set<number>();
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (!isDrawn(x, y)) continue;
      if (!isDrawn(x, y - 1)) edges.add(edge(side, x, y, RIGHT));
      if (!isDrawn(x + 1, y)) edges.add(edge(side, x + 1, y, DOWN));
      if (!isDrawn(x, y + 1)) edges.add(edge(side, x + 1, y + 1, LEFT));
      if (!isDrawn(x - 1, y)) edges.add(edge(side, x, y + 1, UP));
    }
  }
  return edges;
}

/** Follows an outline from its edge `first`, and removes its edges from the set. Returns its corners. */
function cornersFrom(first: number, edges: Set<number>, side: number): Corner[] {
  const found: Corner[] = [];
  let direction = (first % 4) as Direction;
  let x = (first >> 2) % (side + 1);
  let y = Math.floor((first >> 2) / (side + 1));
  while (edges.delete(edge(side, x, y, direction))) {
    x += stepX[direction];
    y += stepY[direction];
    // Try right first, which stays on the same module.
    const to = [right(direction), direction, left(direction)].find((next) => edges.has(edge(side, x, y, next)));
    // If no remaining edge starts here, the outline is closed: its last edge meets the first one.
    const next = to ?? ((first % 4) as Direction);
    if (next !== direction) found.push({ x, y, from: direction, to: next });
    direction = next;
  }
  return found;
}

function outline(corners: Corner[], { outer, inner }: CornerRadii): string {
  const parts = corners.map(({ x, y, from, to }, at) => {
    const isOuter = to === right(from);
    const radius = isOuter ? outer(from) : inner;
    const [beforeX, beforeY] = [x - stepX[from] * radius, y - stepY[from] * radius];
    const go = at === 0 ? `M${beforeX} ${beforeY}` : from % 2 === 0 ? `H${beforeX}` : `V${beforeY}`;
    if (radius === 0) return go;
    const [dx, dy] = [(stepX[from] + stepX[to]) * radius, (stepY[from] + stepY[to]) * radius];
    return `${go}a${radius} ${radius} 0 0 ${isOuter ? 1 : 0} ${dx} ${dy}`;
  });
  return `${parts.join('')}z`;
}
