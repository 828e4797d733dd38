import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BadFrame, FrameReader, headerBytes, maxMessageBytes } from './frames.js';

const message = fc.uint8Array({ maxLength: 200, size: 'max' }).map((body) => {
  const bytes = Buffer.alloc(headerBytes + body.length);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.set(body, headerBytes);
  return bytes;
});

describe('FrameReader', () => {
  test('returns the messages of a stream, however it is split into chunks', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 10 }), fc.array(fc.nat(2500), { maxLength: 10 }), (messages, cuts) => {
        const stream = Buffer.concat(messages);
        const reader = new FrameReader();
        const found: Buffer[] = [];
        let from = 0;
        for (const cut of [...cuts.map((at) => Math.min(at, stream.length)).sort((a, b) => a - b), stream.length]) {
          if (cut > from) found.push(...reader.push(stream.subarray(from, cut)));
          from = Math.max(from, cut);
        }
        expect(found.map((bytes) => bytes.toString('hex'))).toEqual(messages.map((bytes) => bytes.toString('hex')));
      }),
    );
  });

  test.each([-1, 0, headerBytes - 1, maxMessageBytes + 1, 0x7fffffff])(
    'rejects a length of %d before the rest of the message arrives',
    (length) => {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32LE(length);
      expect(() => new FrameReader().push(bytes)).toThrow(BadFrame);
    },
  );
});
