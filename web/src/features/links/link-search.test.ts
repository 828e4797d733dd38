import { expect, test } from '@jest/globals';
import { linkQuery, linkSearch } from './link-search.js';

test('reads the filters of an address and drops what is invalid', () => {
  expect(linkSearch({ q: 'a', tag: ['b', 1], status: 'archived', sort: 'clicks', more: 1 })).toEqual({
    q: 'a',
    tag: ['b'],
    status: 'archived',
    sort: 'clicks',
  });
  expect(linkSearch({ q: '', tag: 'b', status: 'gone', sort: 'newest' })).toEqual({ tag: ['b'] });
});

test('turns an order into the parameters of the API', () => {
  expect(linkQuery({ q: 'a', sort: 'lastClick' })).toEqual({ q: 'a', sort: 'lastClickAt', order: 'desc' });
  expect(linkQuery({})).toEqual({ sort: 'createdAt', order: 'desc' });
});
