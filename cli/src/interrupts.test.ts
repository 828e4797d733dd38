import { expect, jest, test } from '@jest/globals';
import { exitGracefully, onInterrupt } from './interrupts.js';

test('a cleanup that fails affects neither the other cleanups nor the exit code', () => {
  const exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const clean = jest.fn();
  onInterrupt(() => {
    throw new Error('no such file');
  });
  onInterrupt(clean);
  exitGracefully(130);
  expect(clean).toHaveBeenCalledTimes(1);
  expect(exit).toHaveBeenCalledWith(130);
});
