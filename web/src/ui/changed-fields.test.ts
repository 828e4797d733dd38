import { expect, test } from '@jest/globals';
import { changedFields } from './changed-fields.js';

const loaded = { title: ' Menu ', tags: ['a', 'b'], maxClicks: null, url: 'https://example.com', clickCount: 5 };

test('returns the values that differ from the loaded ones', () => {
  const values = { title: 'Menus', tags: ['b', 'a'], maxClicks: 3, url: 'https://example.com' };
  expect(changedFields(values, loaded)).toEqual({ title: 'Menus', tags: ['b', 'a'], maxClicks: 3 });
});

test('returns an empty object if only the white space around a text differs', () => {
  const values = { title: 'Menu', tags: ['a', 'b'], maxClicks: null, url: 'https://example.com' };
  expect(changedFields(values, loaded)).toEqual({});
});

test('returns values that the loaded record lacks', () => {
  expect(changedFields({ expiresAt: '2030-01-01T00:00:00Z' }, {})).toEqual({ expiresAt: '2030-01-01T00:00:00Z' });
});
