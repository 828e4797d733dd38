import type { Matrix } from './matrix.js';

// ISO/IEC 18004, table 9, for error correction level H. The first element is for version 1.

/** Number of blocks per version. */
export const blocksOfH = [
  1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54,
  57, 60, 63, 66, 70, 74, 77, 81,
];
/** Number of error correction codewords in each block, per version. */
export const correctionOfH = [
  17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30, 30, 30,
  30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
];

/** The layout of the codewords of a level H code, and how many of them can be corrected. */
export interface Codewords {
  /**
   * Returns the block that contains a module's codeword, and the index of this codeword among all codewords of the
   * code. Returns undefined for a module without a codeword.
   */
  at: (column: number, row: number) => { block: number; index: number } | undefined;
  blocks: number;
  /** Number of correctable codewords per block. */
  correctable: number;
}

/** Returns the codewords of a code with error correction level H (ISO/IEC 18004, 7.5.1, 7.6, 7.7.3). */
export function codewordsOfH(matrix: Matrix): Codewords {
  const places = placesOf(matrix);
  const total = places.size >> 3;
  const [blocks, correction] = [blocksOfH[matrix.version - 1]!, correctionOfH[matrix.version - 1]!];
  const data = total - blocks * correction;
  /** Number of data codewords that are distributed evenly over all blocks. */
  const evenData = Math.floor(data / blocks) * blocks;
  const block = (index: number): number => {
    if (index >= data) return (index - data) % blocks;
    // The last blocks are longer; their additional codewords come at the end.
    return index < evenData ? index % blocks : blocks - (data - evenData) + (index - evenData);
  };
  return {
    at: (column, row) => {
      const place = places.get(row * matrix.side + column);
      const index = place === undefined ? total : place >> 3;
      return index < total ? { block: block(index), index } : undefined;
    },
    blocks,
    correctable: correction >> 1,
  };
}

/**
 * Maps each data module, keyed by `row * side + column`, to its position in the order of the bits: two-column strips
 * from the right, alternately up and down, skipping the timing pattern.
 */
function placesOf({ side, isFunction }: Matrix): Map<number, number> {
  const places = new Map<number, number>();
  let up = true;
  for (let right = side - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let step = 0; step < side; step++) {
      const row = up ? side - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (!isFunction(column, row)) places.set(row * side + column, places.size);
      }
    }
  }
  return places;
}
