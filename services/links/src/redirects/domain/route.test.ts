import { describe, expect, test } from '@jest/globals';
import { domainKey, domainRoute, isFree, purgeTime, routeKey, type Route } from './route.js';

const now = new Date('2030-06-01T00:00:00.000Z');
const later = new Date('2030-06-01T00:00:00.001Z');

test('the key of a slug has its domain, and ignores case', () => {
  expect([routeKey(null, 'Spring'), routeKey('l.example', 'Spring')]).toEqual(['/spring', 'l.example/spring']);
  expect(domainKey('l.example')).toBe('l.example/');
});

test('a slug is released 30 days after its link was deleted', () => {
  expect(purgeTime(now)).toEqual(new Date('2030-07-01T00:00:00.000Z'));
});

describe('a slug', () => {
  const [here, there] = ['/spring', 'l.example/spring'];

  test.each<[string, string, Route['status'], Date | null, boolean]>([
    [here, 'ws_1', 'active', null, false],
    [here, 'ws_1', 'deleted', later, true],
    [here, 'ws_1', 'deleted', null, true],
    [here, 'ws_2', 'active', now, false],
    [here, 'ws_2', 'deleted', later, false],
    [here, 'ws_2', 'deleted', now, true],
    [here, 'ws_2', 'deleted', null, false],
    [there, 'ws_1', 'active', null, false],
    [there, 'ws_1', 'deleted', later, true],
    [there, 'ws_2', 'active', null, true],
    [there, 'ws_2', 'deleted', later, true],
  ])('with the key %s in %s, %s until %j, can be used in ws_1: %j', (_id, workspaceId, status, purgeAt, free) => {
    expect(isFree({ _id, workspaceId, status, purgeAt }, 'ws_1', now)).toBe(free);
  });
});

test('a verified domain has a route with its pages', () => {
  const domain = { _id: 'dom_1', workspaceId: 'ws_1', name: 'l.example' };
  const route = {
    _id: 'l.example/',
    workspaceId: 'ws_1',
    linkId: 'dom_1',
    qrId: null,
    via: 'domain',
    url: 'https://l.example/',
    status: 'active',
    expiresAt: null,
    maxClicks: null,
    remaining: null,
    purgeAt: null,
  };
  for (const one of [domain, { ...domain, pages: null }]) {
    expect(domainRoute(one)).toEqual(route);
    expect(domainRoute(one)).not.toHaveProperty('pages');
  }
  const pages = { brandName: 'Toko' } as Route['pages'];
  expect(domainRoute({ ...domain, pages })).toEqual({ ...route, pages });
});
