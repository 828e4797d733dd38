import { describe, expect, test } from '@jest/globals';
import { domainKey, domainRoute, isFree, purgeTime, routeKey, type Route } from './route.js';

const now = new Date('2030-06-01T00:00:00.000Z');
const later = new Date('2030-06-01T00:00:00.001Z');

test('the key of a slug consists of its domain and the slug in lower case', () => {
  expect([routeKey(null, 'Spring'), routeKey('l.example', 'Spring')]).toEqual(['/spring', 'l.example/spring']);
  expect(domainKey('l.example')).toBe('l.example/');
});

test('a slug is reserved for 30 days after its link was deleted', () => {
  expect(purgeTime(now)).toEqual(new Date('2030-07-01T00:00:00.000Z'));
});

describe('a slug', () => {
  const [onDefault, onCustom] = ['/spring', 'l.example/spring'];

  test.each<[string, string, Route['status'], Date | null, boolean]>([
    [onDefault, 'ws_1', 'active', null, false],
    [onDefault, 'ws_1', 'deleted', later, true],
    [onDefault, 'ws_1', 'deleted', null, true],
    [onDefault, 'ws_2', 'active', now, false],
    [onDefault, 'ws_2', 'deleted', later, false],
    [onDefault, 'ws_2', 'deleted', now, true],
    [onDefault, 'ws_2', 'deleted', null, false],
    [onCustom, 'ws_1', 'active', null, false],
    [onCustom, 'ws_1', 'deleted', later, true],
    [onCustom, 'ws_2', 'active', null, true],
    [onCustom, 'ws_2', 'deleted', later, true],
  ])(
    'with the key %s and the owner %s (%s, purgeAt %j) is free for ws_1: %j',
    (_id, workspaceId, status, purgeAt, free) => {
      expect(isFree({ _id, workspaceId, status, purgeAt }, 'ws_1', now)).toBe(free);
    },
  );
});

test('the route of a verified domain contains the brand and the fallback URLs of the domain, if it has any', () => {
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
