import { expect, test } from '@jest/globals';
import { isFiltered, linkQuery, linkSearch } from './link-search.js';

test('reads the filters of a URL and drops invalid values', () => {
  expect(linkSearch({ q: 'a', tag: ['b', 1], status: 'archived', sort: 'clicks', more: 1 })).toEqual({
    q: 'a',
    tag: ['b'],
    status: 'archived',
    sort: 'clicks',
  });
  expect(linkSearch({ q: '', tag: 'b', status: 'gone', sort: 'newest' })).toEqual({ tag: ['b'] });
});

test('reads the less common filters and drops invalid dates', () => {
  const search = { domain: 'go.example.com', by: 'usr_1', from: '2026-01-01', to: '2026-01-31' };
  expect(linkSearch(search)).toEqual(search);
  expect(linkSearch({ domain: 1, by: '', from: '2026-13-01', to: 'soon' })).toEqual({});
  expect(linkSearch({ from: '2026-02-30' })).toEqual({});
  expect(linkSearch({ from: '2026-02-01', to: '2026-01-01' })).toEqual({ from: '2026-02-01' });
  expect(isFiltered({ by: 'usr_1' })).toBe(true);
  expect(isFiltered({ sort: 'clicks' })).toBe(false);
});

test('converts creation dates to the start and end of the day in the local time zone', () => {
  const { createdFrom, createdTo, ...rest } = linkQuery({ by: 'usr_1', from: '2026-01-01', to: '2026-01-01' });
  expect(rest).toEqual({ createdBy: 'usr_1', sort: 'createdAt', order: 'desc' });
  expect(new Date(createdTo!).getTime() - new Date(createdFrom!).getTime()).toBe(86_399_999);
});

test('converts a sort order to parameters of the API', () => {
  expect(linkQuery({ q: 'a', sort: 'lastClick' })).toEqual({ q: 'a', sort: 'lastClickAt', order: 'desc' });
  expect(linkQuery({})).toEqual({ sort: 'createdAt', order: 'desc' });
});
