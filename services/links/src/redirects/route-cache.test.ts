import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Route } from './domain/route.js';
import { RouteCache } from './route-cache.js';

const aRoute = (fields: Partial<Route> = {}): Route => ({
  _id: '/abc',
  workspaceId: 'ws_1',
  linkId: 'lnk_1',
  qrId: null,
  via: 'link',
  url: 'https://example.com/',
  status: 'active',
  expiresAt: null,
  maxClicks: null,
  remaining: null,
  purgeAt: null,
  ...fields,
});

/**
 * Creates a cache that reads routes from `table`. Reads that begin while `database.hold` is true wait for `release`.
 * Reads fail while `database.unavailable` is true.
 */
function setup(maxEntries = 100) {
  const table = new Map<string, Route>([['/abc', aRoute()]]);
  const held: Array<() => void> = [];
  const database = { reads: 0, unavailable: false, hold: false };
  const read = async (key: string): Promise<Route | null> => {
    database.reads += 1;
    const route = table.get(key) ?? null;
    if (database.hold) await new Promise<void>((resolve) => held.push(resolve));
    if (database.unavailable) throw new Error('unavailable');
    return route;
  };
  const defects: unknown[] = [];
  const cache = new RouteCache({ read, maxEntries, onDefect: (error) => defects.push(error) });
  cache.setConnected(true);
  const peek = (key = '/abc') => cache.peek(key, Date.now());
  return { cache, table, database, peek, defects, release: () => held.splice(0).forEach((go) => go()) };
}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

test('does not cache a QR code whose link changed while the code was read for the first time', async () => {
  const { cache, table, database, peek, release } = setup();
  const follows = { key: '/abc', status: 'active', expiresAt: null, limited: false } as const;
  table.set('/code', aRoute({ _id: '/code', via: 'qr', qrId: 'qr_1', follows }));
  database.hold = true;
  const reading = [cache.get('/code'), cache.get('/abc')];
  cache.dropCodesOf('lnk_1');
  release();
  await Promise.all(reading);
  expect([peek('/code'), peek('/abc')]).toEqual([undefined, expect.anything()]);
});

describe('a route', () => {
  test('is read once and then cached', async () => {
    const { cache, database, peek } = setup();
    expect(peek()).toBeUndefined();
    await Promise.all([cache.get('/abc'), cache.get('/abc'), cache.get('/abc')]);
    expect(database.reads).toBe(1);
    expect(peek()).toMatchObject({ state: 'active', location: 'https://example.com/' });
  });

  test('is fresh for five minutes while connected, thirty seconds if the key is missing', async () => {
    const { cache, peek } = setup();
    await Promise.all([cache.get('/abc'), cache.get('/nothing')]);
    jest.advanceTimersByTime(29_000);
    expect(peek('/nothing')).toMatchObject({ state: 'missing' });
    jest.advanceTimersByTime(2_000);
    expect(peek('/nothing')).toBeUndefined();
    jest.advanceTimersByTime(268_000);
    expect(peek()).toBeDefined();
    jest.advanceTimersByTime(2_000);
    expect(peek()).toBeUndefined();
  });

  test('is fresh for under a second while disconnected', async () => {
    const { cache, peek } = setup();
    await cache.get('/abc');
    cache.setConnected(false);
    expect(peek()).toBeDefined();
    jest.advanceTimersByTime(950);
    expect(peek()).toBeUndefined();
  });

  test('is stale after a reconnect, however recently it was read', async () => {
    const { cache, peek } = setup();
    await cache.get('/abc');
    cache.setConnected(false);
    cache.setConnected(true);
    expect(peek()).toBeUndefined();
  });

  test('is fresh for under a second if it is limited', async () => {
    const { cache, table, peek } = setup();
    table.set('/abc', aRoute({ remaining: 3, maxClicks: 3 }));
    await cache.get('/abc');
    expect(peek()).toMatchObject({ limited: true });
    jest.advanceTimersByTime(950);
    expect(peek()).toBeUndefined();
  });

  test('is dropped when invalidated', async () => {
    const { cache, table, peek } = setup();
    await cache.get('/abc');
    table.set('/abc', aRoute({ url: 'https://example.com/new' }));
    cache.drop(['/abc']);
    expect(peek()).toBeUndefined();
    expect(await cache.get('/abc')).toMatchObject({ location: 'https://example.com/new' });
  });

  test('is not cached if it is invalidated while being read', async () => {
    const { cache, table, database, peek, release } = setup();
    database.hold = true;
    const old = cache.get('/abc');
    table.set('/abc', aRoute({ status: 'archived' }));
    cache.drop(['/abc']);
    const fresh = cache.get('/abc');
    release();
    expect(await old).toMatchObject({ state: 'active' });
    expect(await fresh).toMatchObject({ state: 'gone' });
    expect(peek()).toMatchObject({ state: 'gone' });
    expect(database.reads).toBe(2);
  });

  test('is stale if the bus reconnects while the route is being read', async () => {
    const { cache, database, peek, release } = setup();
    database.hold = true;
    const read = cache.get('/abc');
    cache.setConnected(false);
    cache.setConnected(true);
    release();
    await read;
    expect(peek()).toBeUndefined();
  });

  test('is served stale while it cannot be read', async () => {
    const { cache, database } = setup();
    await cache.get('/abc');
    database.unavailable = true;
    cache.setConnected(false);
    jest.advanceTimersByTime(3_600_000);
    expect(await cache.get('/abc')).toMatchObject({ state: 'active' });
    await expect(cache.get('/unknown')).rejects.toThrow('unavailable');
  });
});

test('a key that is cached as missing is found after it is created and invalidated', async () => {
  const { cache, table, peek } = setup();
  expect(await cache.get('/new')).toMatchObject({ state: 'missing' });
  table.set('/new', aRoute({ _id: '/new' }));
  cache.drop(['/new']);
  expect(await cache.get('/new')).toMatchObject({ state: 'active' });
  expect(peek('/new')).toMatchObject({ state: 'active' });
});

test('the number of cached missing keys is limited, and missing keys do not evict routes', async () => {
  const { cache, peek } = setup(10);
  await cache.get('/abc');
  for (let i = 0; i < 100; i += 1) await cache.get(`/unknown${i}`);
  expect(cache.size).toBe(2);
  expect(peek()).toBeDefined();
});

test.each([
  ['expired', 'gone'],
  ['archived', 'gone'],
  ['deleted', 'missing'],
] as const)('an entry with the status %s has the state %s', async (status, state) => {
  const { cache, table } = setup();
  table.set('/abc', aRoute({ status }));
  expect(await cache.get('/abc')).toMatchObject({ state });
});

test('an invalid destination is treated as missing and reported, and one that is unsafe in a header is normalized', async () => {
  const { cache, table, defects } = setup();
  table.set('/abc', aRoute({ url: 'javascript:alert(1)' }));
  expect(await cache.get('/abc')).toMatchObject({ state: 'missing' });
  expect(defects).toHaveLength(1);
  cache.drop(['/abc']);
  table.set('/abc', aRoute({ url: 'https://example.com/a b\r\nSet-Cookie: x=1' }));
  expect((await cache.get('/abc')).location).toBe('https://example.com/a%20bSet-Cookie:%20x=1');
});
