import { execFileSync } from 'node:child_process';
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

test('reads the less common filters and drops invalid values', () => {
  const search = { domain: 'go.example.com', by: 'usr_1', from: '2026-01-01', to: '2026-01-31' };
  expect(linkSearch(search)).toEqual(search);
  expect(linkSearch({ domain: 1, by: '', from: '2026-13-01', to: 'soon' })).toEqual({});
  expect(linkSearch({ from: '2026-02-30' })).toEqual({});
  expect(linkSearch({ from: '2026-02-01', to: '2026-01-01' })).toEqual({ from: '2026-02-01' });
});

test('a creator is a filter, and a sort order is not', () => {
  expect(isFiltered({ by: 'usr_1' })).toBe(true);
  expect(isFiltered({ sort: 'clicks' })).toBe(false);
});

test('converts creation dates to the start and end of the day in the local time zone', () => {
  const search = { by: 'usr_1', from: '2026-01-01', to: '2026-01-01' };
  const code = `
    import { linkQuery } from './link-search.js';
    console.log(JSON.stringify(linkQuery(${JSON.stringify(search)})));`;
  // A separate process, because the time zone of this one may be UTC.
  const options = { cwd: import.meta.dirname, env: { TZ: 'Asia/Jakarta' }, encoding: 'utf8' } as const;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], options);
  expect(JSON.parse(output)).toEqual({
    createdBy: 'usr_1',
    createdFrom: '2025-12-31T17:00:00.000Z',
    createdTo: '2026-01-01T16:59:59.999Z',
    sort: 'createdAt',
    order: 'desc',
  });
});

test('converts a sort order to parameters of the API', () => {
  expect(linkQuery({ q: 'a', sort: 'lastClick' })).toEqual({ q: 'a', sort: 'lastClickAt', order: 'desc' });
  expect(linkQuery({})).toEqual({ sort: 'createdAt', order: 'desc' });
});
