import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergePacked, packRegisters, unpackRegisters } from './packed-registers.js';

const someRegisters = fc.uint8Array({ minLength: 64, maxLength: 64, max: 50 });

test('the packed form is the base, half a byte per register, and the registers that exceed the base by more than 14', () => {
  const registers = Uint8Array.of(...[2, 3, 4, 5, 6, 7, 8, 9], ...[2, 2, 2, 2, 16, 17, 2, 40]);
  const packed = Buffer.from(packRegisters(registers)).toString('hex');
  expect(packed).toBe(['02', '40516273', 'e0f000f0', '0d0011', '0f0028'].join(''));
});

test('packs and unpacks registers with any ranks', () => {
  fc.assert(
    fc.property(someRegisters, (registers) => {
      expect(unpackRegisters(packRegisters(registers), 64)).toEqual(registers);
    }),
  );
  const last = new Uint8Array(1 << 15).fill(40, -2);
  expect(unpackRegisters(packRegisters(last), last.length)).toEqual(last);
});

test('a merge keeps the maximum of each register', () => {
  fc.assert(
    fc.property(someRegisters, someRegisters, (own, others) => {
      const merged = own.slice();
      mergePacked(merged, packRegisters(others));
      expect(merged).toEqual(own.map((rank, i) => Math.max(rank, others[i]!)));
    }),
  );
});
