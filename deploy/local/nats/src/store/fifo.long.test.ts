import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Fifo } from './fifo.js';

test('a queue returns items in insertion order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { maxLength: 8 }), (rounds) => {
      const queue = new Fifo<number>();
      const model: number[] = [];
      let next = 0;
      for (const [round, count] of rounds.entries()) {
        // Compared only once for each round, because thousands of `expect` calls would take most of the time.
        const shifted: unknown[] = [];
        const expected: unknown[] = [];
        for (let n = 0; n < count; n++) {
          if (round % 2 === 1) {
            shifted.push(queue.shift());
            expected.push(model.shift());
          } else {
            queue.push(next);
            model.push(next++);
          }
        }
        expect(shifted).toEqual(expected);
        expect([queue.length, queue.first]).toEqual([model.length, model[0]]);
      }
    }),
  );
});
