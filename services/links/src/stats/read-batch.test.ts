import { expect, test } from '@jest/globals';
import type { ClickBatch } from '@tautan/proto';
import { readBatch } from './read-batch.js';

const batch: ClickBatch = {
  v: 1,
  id: '01jd',
  base: 1,
  texts: ['lnk_1', 'ws_1', ''],
  clicks: [[0, 0, -1, 1, 'h', 2, 2, 2, 2, 2, 'l']],
};
const read = (value: unknown) => readBatch(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
const withClick = (...click: unknown[]) => ({ ...batch, clicks: [click] });

test('parses a batch', () => expect(read(batch)).toEqual(batch));

test.each([
  ['a QR code of a link', withClick(0, 0, 2, 1, 'h', 2, 2, 2, 2, 2, 'q')],
  ['a standalone QR code', withClick(0, -1, 0, 1, 'h', 2, 2, 2, 2, 2, 'q')],
])('parses a scan of %s', (_, value) => expect(read(value)).toEqual(value));

test.each<[string, unknown]>([
  ['invalid JSON', 'x'],
  ['an unknown version', { ...batch, v: 2 }],
  ['no field `clicks`', { ...batch, clicks: undefined }],
  ['a time before its base', withClick(-1, 0, -1, 1, 'h', 2, 2, 2, 2, 2, 'l')],
  ['a click that is neither human nor bot', withClick(0, 0, -1, 1, 'x', 2, 2, 2, 2, 2, 'l')],
  ['a link that is not in its texts', withClick(0, 3, -1, 1, 'h', 2, 2, 2, 2, 2, 'l')],
  ['a QR code that is not in its texts', withClick(0, 0, 3, 1, 'h', 2, 2, 2, 2, 2, 'q')],
  ['a click of neither a link nor a QR code', withClick(0, -1, -1, 1, 'h', 2, 2, 2, 2, 2, 'l')],
  ['a visitor that is not in its texts', withClick(0, 0, -1, 1, 'h', 2, 2, 2, 2, 9, 'l')],
])('rejects a batch with %s', (_, value) => expect(() => read(value)).toThrow());
