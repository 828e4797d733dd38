import { expect, test } from '@jest/globals';
import { textOfFile } from './file-text.js';

const TEXT = 'url,title\nhttps://example.com,Café Zürich\n';
const bytesOf = (buffer: Buffer): ArrayBuffer => new Uint8Array(buffer).buffer;

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
  ['little-endian UTF-16 with a byte order mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['big-endian UTF-16 with a byte order mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
])('reads %s', (_name, buffer) => {
  expect(textOfFile(bytesOf(buffer))).toBe(TEXT);
});

test.each([
  ['Windows-1252', Buffer.from(TEXT, 'latin1')],
  ['little-endian UTF-16 without a byte order mark', Buffer.from(TEXT, 'utf16le')],
  ['big-endian UTF-16 without a byte order mark', Buffer.from(TEXT, 'utf16le').swap16()],
  ['UTF-8 that was cut within a letter', Buffer.from(TEXT).subarray(0, TEXT.indexOf('é') + 1)],
])('returns undefined for %s', (_name, buffer) => {
  expect(textOfFile(bytesOf(buffer))).toBeUndefined();
});

test('an empty file decodes to an empty string', () => {
  expect(textOfFile(new ArrayBuffer(0))).toBe('');
});
