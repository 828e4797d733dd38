import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { asJsonArray } from './json-array.js';

test.each([
  ['', []],
  ['{"a":1}\n{"a":"é"}\n', [{ a: 1 }, { a: 'é' }]],
  ['{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  ['{"a":1}', [{ a: 1 }]],
])('converts %j to one array, however it is divided into chunks', async (ndjson, items) => {
  const bytes = Buffer.from(ndjson);
  for (let size = 1; size <= bytes.length + 1; size += 1) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    expect(await json(Readable.from(asJsonArray(Readable.from(chunks))))).toEqual(items);
  }
});
