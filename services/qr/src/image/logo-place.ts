import { codewordsOfH } from './codewords.js';
import type { Matrix } from './matrix.js';

/** Where a logo lies, in modules from the code's upper left corner, and the modules that are left out for it. */
export interface LogoPlace {
  x: number;
  y: number;
  width: number;
  height: number;
  isCleared: (column: number, row: number) => boolean;
}

/** Least distance between a logo and the modules around it, in modules. */
const QUIET = 0.4;
/** The share of what error correction can make good that a logo may take; the rest is for dirt and bent paper. */
const MOST_DAMAGE = 0.75;

/**
 * The place of a logo in the middle of a code of error correction level H, its longer side `scale` of the code's; smaller
 * where it would cost more than a part of what can be corrected, so that the code can be read whatever the logo shows.
 */
export function placeLogo(
  matrix: Matrix,
  scale: number,
  { width, height }: { width: number; height: number },
): LogoPlace {
  const { side } = matrix;
  const wanted = scale * side;
  const cleared = Math.min(around(wanted), mostCleared(matrix));
  const longer = Math.min(wanted, cleared - 2 * QUIET);
  const ratio = longer / Math.max(width, height);
  const [w, h] = [width * ratio, height * ratio];
  const [reachX, reachY] = [around(w) / 2, around(h) / 2];
  return {
    x: (side - w) / 2,
    y: (side - h) / 2,
    width: w,
    height: h,
    isCleared: (column, row) => Math.abs(column + 0.5 - side / 2) < reachX && Math.abs(row + 0.5 - side / 2) < reachY,
  };
}

/** The whole modules that so many take in the middle with what is quiet around them: an odd number, as the code's is. */
function around(modules: number): number {
  const least = Math.ceil(modules + 2 * QUIET);
  return least % 2 === 1 ? least : least + 1;
}

/** The largest square in the middle, modules a side, that can be lost. */
function mostCleared(matrix: Matrix): number {
  const { at, blocks, correctable } = codewordsOfH(matrix);
  const [damage, seen] = [new Array<number>(blocks).fill(0), new Set<number>()];
  for (let reach = 0; ; reach++) {
    for (const [column, row] of ring(matrix.side, reach)) {
      const codeword = at(column, row);
      if (codeword && !seen.has(codeword.index)) damage[codeword.block]! += 1;
      if (codeword) seen.add(codeword.index);
    }
    if (Math.max(...damage) > correctable * MOST_DAMAGE) return 2 * reach - 1;
  }
}

/** The modules at a distance from the one in the middle, counted along rows and columns. */
function* ring(side: number, reach: number): Iterable<[column: number, row: number]> {
  const middle = (side - 1) / 2;
  for (let d = -reach; d <= reach; d++) {
    yield [middle + d, middle - reach];
    yield [middle + d, middle + reach];
    yield [middle - reach, middle + d];
    yield [middle + reach, middle + d];
  }
}
