import { codewordsOfH } from './codewords.js';
import type { Matrix } from './matrix.js';

/** The position of a logo, in modules from the code's upper left corner, and the modules that are omitted for it. */
export interface LogoPlacement {
  x: number;
  y: number;
  width: number;
  height: number;
  isCleared: (column: number, row: number) => boolean;
}

/** Minimum distance between a logo and the modules around it, in modules. */
const QUIET = 0.4;
/** The fraction of correctable codewords that a logo may destroy. The rest is reserved for dirt and bent paper. */
const MAX_DAMAGE = 0.75;

/**
 * Returns the position of a logo in the middle of a level H code. The longer side of the logo is `scale` times the side
 * of the code, or less if the logo would destroy too many correctable codewords, so that the code stays scannable.
 */
export function layOutLogo(
  matrix: Matrix,
  scale: number,
  { width, height }: { width: number; height: number },
): LogoPlacement {
  const { side } = matrix;
  const wanted = scale * side;
  const cleared = Math.min(coveredModules(wanted), maxCleared(matrix));
  const longer = Math.min(wanted, cleared - 2 * QUIET);
  const ratio = longer / Math.max(width, height);
  const [w, h] = [width * ratio, height * ratio];
  const [reachX, reachY] = [coveredModules(w) / 2, coveredModules(h) / 2];
  return {
    x: (side - w) / 2,
    y: (side - h) / 2,
    width: w,
    height: h,
    isCleared: (column, row) => Math.abs(column + 0.5 - side / 2) < reachX && Math.abs(row + 0.5 - side / 2) < reachY,
  };
}

/**
 * Returns how many whole modules a centered logo and its quiet zone cover along one axis, on which the logo has the
 * given length. The result is odd, like the number of modules on a side of the code.
 */
function coveredModules(length: number): number {
  const min = Math.ceil(length + 2 * QUIET);
  return min % 2 === 1 ? min : min + 1;
}

/** Returns the side, in modules, of the largest central square whose modules can be omitted. */
function maxCleared(matrix: Matrix): number {
  const { at, blocks, correctable } = codewordsOfH(matrix);
  const [damage, seen] = [new Array<number>(blocks).fill(0), new Set<number>()];
  for (let reach = 0; ; reach++) {
    for (const [column, row] of ring(matrix.side, reach)) {
      const codeword = at(column, row);
      if (codeword && !seen.has(codeword.index)) damage[codeword.block]! += 1;
      if (codeword) seen.add(codeword.index);
    }
    if (Math.max(...damage) > correctable * MAX_DAMAGE) return 2 * reach - 1;
  }
}

/** Yields the modules on the edges of the square that extends `reach` modules from the middle one in each direction. */
function* ring(side: number, reach: number): Iterable<[column: number, row: number]> {
  const middle = (side - 1) / 2;
  for (let d = -reach; d <= reach; d++) {
    yield [middle + d, middle - reach];
    yield [middle + d, middle + reach];
    yield [middle - reach, middle + d];
    yield [middle + reach, middle + d];
  }
}
