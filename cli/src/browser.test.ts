import { expect, test } from '@jest/globals';
import { openBrowser } from './browser.js';

test.each([
  ['https://example.com/activate?code=ABCD', true],
  ['https://example.com/\0', true],
  ['file:///etc/hostname', false],
  ['not a URL', false],
])('openBrowser(%j) returns whether a browser was started: %s', async (url, isStarted) => {
  // `true` is the Unix program that exits with 0.
  expect(await openBrowser(url, { browser: 'true', graphical: false })).toBe(isStarted);
  expect(await openBrowser(url, { browser: '/no/such/program', graphical: false })).toBe(false);
});
