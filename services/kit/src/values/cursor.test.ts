import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCursor, writeCursor } from './cursor.js';

const refused = expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'cursor' });

test('a cursor decodes to its position', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.jsonValue(), (bytes, boundTo) => {
      const position = Buffer.from(bytes);
      expect(readCursor(boundTo, writeCursor(boundTo, position))).toEqual(position);
    }),
  );
});

test('rejects a cursor of another list, and an altered or invalid one, naming the field', () => {
  const cursor = writeCursor(['ws_1', 'link.'], Buffer.from('7'));
  expect(() => readCursor(['ws_2', 'link.'], cursor)).toThrow(refused);
  expect(() => readCursor(['ws_1', 'tag.'], cursor)).toThrow(refused);
  for (const text of ['', 'x', `${cursor}A`, cursor.slice(1), cursor.slice(0, -1), `${cursor}=`, '💥']) {
    expect(() => readCursor(['ws_1', 'link.'], text)).toThrow(refused);
  }
});
