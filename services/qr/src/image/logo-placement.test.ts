import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { blocksOfH, codewordsOfH, correctionOfH } from './codewords.js';
import { layOutLogo } from './logo-placement.js';
import { matrixOf } from './matrix.js';

const versions = Array.from({ length: 40 }, (_, at) => at + 1);

test('the table of codewords equals that of the encoder', () => {
  const require = createRequire(import.meta.url);
  type Table = {
    getBlocksCount(version: number, level: object): number;
    getTotalCodewordsCount(version: number, level: object): number;
  };
  const table = require('qrcode/lib/core/error-correction-code') as Table;
  const { H } = require('qrcode/lib/core/error-correction-level') as { H: object };
  expect(blocksOfH).toEqual(versions.map((version) => table.getBlocksCount(version, H)));
  expect(correctionOfH).toEqual(
    versions.map((version, at) => table.getTotalCodewordsCount(version, H) / blocksOfH[at]!),
  );
});

/** Returns a level H code for a text of a given length. */
const codeOf = (bytes: number) => matrixOf('x'.repeat(bytes), 'H');

test('every block has codewords, and the sizes of blocks differ by at most one codeword', () => {
  for (const bytes of [10, 22, 34, 44, 58, 80, 200]) {
    const matrix = codeOf(bytes);
    const { at, blocks } = codewordsOfH(matrix);
    const codewords = new Map<number, Set<number>>();
    for (let row = 0; row < matrix.side; row++) {
      for (let column = 0; column < matrix.side; column++) {
        const found = at(column, row);
        if (found) codewords.set(found.block, (codewords.get(found.block) ?? new Set<number>()).add(found.index));
      }
    }
    const counts = [...codewords.values()].map(({ size }) => size);
    expect(codewords.size).toBe(blocks);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  }
});

test('a logo never destroys more than three quarters of the correctable codewords of a block', () => {
  const shapes = [
    { width: 1, height: 1 },
    { width: 512, height: 100 },
    { width: 3, height: 512 },
  ];
  for (const bytes of [10, 22, 34, 44, 58, 80, 120, 200]) {
    const matrix = codeOf(bytes);
    const { at, blocks, correctable } = codewordsOfH(matrix);
    for (const scale of [0.1, 0.15, 0.2, 0.25, 0.3]) {
      for (const shape of shapes) {
        const { isCleared, x, y, width, height } = layOutLogo(matrix, scale, shape);
        const lost = Array.from({ length: blocks }, () => new Set<number>());
        for (let row = 0; row < matrix.side; row++) {
          for (let column = 0; column < matrix.side; column++) {
            const isUnder = column + 1 > x && column < x + width && row + 1 > y && row < y + height;
            if (isUnder) expect(isCleared(column, row)).toBe(true);
            const codeword = isCleared(column, row) ? at(column, row) : undefined;
            if (codeword) lost[codeword.block]!.add(codeword.index);
          }
        }
        expect(Math.max(...lost.map(({ size }) => size))).toBeLessThanOrEqual(correctable * 0.75);
        expect(Math.max(width, height)).toBeLessThanOrEqual(scale * matrix.side + 1e-9);
        // Close to the requested size.
        expect(Math.max(width, height)).toBeGreaterThan(scale * matrix.side * 0.8);
      }
    }
  }
});
