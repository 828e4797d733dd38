import { expect, test } from '@jest/globals';
import type { JsMsg } from '@nats-io/jetstream';
import { HeldMessages } from './held-messages.js';

const aMessage = (seq: number, timestampNanos: bigint) => ({ seq, timestampNanos, working: () => {} }) as JsMsg;

test('a message is held once, and distinguished from another one with the same sequence in a restored stream', () => {
  const held = new HeldMessages(() => true);
  expect(held.add(aMessage(3, 1_000_000n))).toBe(true);
  expect(held.add(aMessage(3, 1_000_000n))).toBe(false);
  expect(held.add(aMessage(3, 2_000_000n))).toBe(true);
  held.delete(aMessage(3, 2_000_000n));
  expect(held.add(aMessage(3, 1_000_000n))).toBe(false);
  held.stop();
});
