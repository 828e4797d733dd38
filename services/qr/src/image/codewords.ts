import type { Matrix } from './matrix.js';

// ISO/IEC 18004 table 9, error correction level H, by version: blocks, and error correction codewords of a block.
// prettier-ignore
export const blocksOfH = [1,1,2,4,4,4,5,6,8,8,11,11,16,16,18,16,19,21,25,25,25,34,30,32,35,37,40,42,45,48,51,54,57,60,63,66,70,74,77,81];
// prettier-ignore
export const correctionOfH = [17,28,22,16,22,28,26,26,24,28,24,28,22,24,24,30,28,28,26,28,30,24,30,30,30,30,30,30,30,30,30,30,30,30,30,30,30,30,30,30];

/** Where the codewords of a code of level H lie, and how many of them can be wrong. */
export interface Codewords {
  /** The block of the codeword that a module belongs to, and its place among all; undefined for a module of none. */
  at: (column: number, row: number) => { block: number; index: number } | undefined;
  blocks: number;
  /** Codewords of each block that can be corrected. */
  correctable: number;
}

/** The codewords of a code of error correction level H (ISO/IEC 18004 sections 7.5.1, 7.6, 7.7.3). */
export function codewordsOfH(matrix: Matrix): Codewords {
  const places = placesOf(matrix);
  const total = places.size >> 3;
  const [blocks, correction] = [blocksOfH[matrix.version - 1]!, correctionOfH[matrix.version - 1]!];
  const data = total - blocks * correction;
  const short = Math.floor(data / blocks) * blocks;
  const block = (index: number): number => {
    if (index >= data) return (index - data) % blocks;
    // What the longer blocks have more comes after what all have; they are the last ones.
    return index < short ? index % blocks : blocks - (data - short) + (index - short);
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

/** The order of the data modules: in columns of two from the right, up and down by turns, past the timing pattern. */
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
