import { expect, test } from '@jest/globals';
import { isPrintable } from './text.js';

test.each(['', 'Sommer 2025', 'Ünïcödé 漢字', '👩‍👩‍👧 emoji', "it's <b>&</b>"])('%j is printable', (text) => {
  expect(isPrintable(text)).toBe(true);
});

test.each(['a\nb', 'a\u0000', '\u007f', '\u0085', '\ud83d', 'x\udc00y', '\u202eevil', 'a\u2028b'])(
  '%j is not',
  (text) => {
    expect(isPrintable(text)).toBe(false);
  },
);
