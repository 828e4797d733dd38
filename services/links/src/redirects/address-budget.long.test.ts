import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { routeKey, type Route } from './domain/route.js';
import { startFixture, visit, type LinkRoute, type Fixture } from '../testing/redirects.js';
import { AddressBudget, OverBudget } from './address-budget.js';

/** Requests for unknown slugs allowed per client address and minute. */
const UNKNOWN = 20;
/** Visits to a limited link allowed per client address and minute. */
const LIMITED = 3;

describe('redirects with a budget per address', () => {
  let fixture: Fixture;
  let port: number;
  let admin: number;
  beforeAll(async () => {
    fixture = await startFixture();
    const { ports } = await fixture.roles('redirect,stats', {
      TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8',
      REDIRECT_BUDGET_UNKNOWN: `${UNKNOWN}`,
      REDIRECT_BUDGET_LIMITED: `${LIMITED}`,
    });
    port = ports['http']!;
    admin = ports['admin']!;
  });
  afterAll(() => fixture.stop());

  const from = (ip: string, path: string, headers: Record<string, string> = {}) =>
    visit(port, path, { 'x-forwarded-for': ip, ...headers });
  const times = <T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: n }, (_, i) => work(i)));
  const tally = (visits: { status: number }[]) => {
    const counts: Record<number, number> = {};
    for (const { status } of visits) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const statusOf = async (ip: string, path: string) => (await from(ip, path)).status;
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))!
        .split(' ')
        .at(-1),
    );
  };

  /**
   * Creates a route and visits it, so that the route is cached. The creation publishes an invalidation. The pause lets
   * this invalidation arrive before the visit.
   */
  const aCachedRoute = async (): Promise<LinkRoute> => {
    const route = await fixture.aRoute();
    await sleep(200);
    expect(await statusOf('203.0.113.99', route._id)).toBe(302);
    return route;
  };

  test('guesses beyond the budget get 429, and a link whose route is cached still works from the same address', async () => {
    const cached = await aCachedRoute();
    const guesses = await times(200, (i) => from('203.0.113.1', `/guess-${i}`));
    expect(tally(guesses)).toEqual({ 404: UNKNOWN, 429: 200 - UNKNOWN });
    expect(tally(await times(300, () => from('203.0.113.1', cached._id)))).toEqual({ 302: 300 });
    expect(await statusOf('203.0.113.2', '/guess-0')).toBe(404);
    expect(await metric('tautan_redirects_total{result="refused_unknown"')).toBe(200 - UNKNOWN);
  });

  test('a 429 response is uncacheable, has Retry-After, and is a page for browsers and text for other clients', async () => {
    await times(UNKNOWN, (i) => from('203.0.113.3', `/refused-${i}`));
    const page = await from('203.0.113.3', '/refused', { accept: 'text/html' });
    expect(page).toMatchObject({ status: 429, headers: { 'content-type': 'text/html; charset=utf-8' } });
    const plain = await from('203.0.113.3', '/refused');
    expect(plain).toMatchObject({ status: 429, headers: { 'content-type': 'text/plain; charset=utf-8' } });
    for (const { headers } of [page, plain]) {
      expect(headers['cache-control']).toBe('private, no-store');
      expect(headers['x-robots-tag']).toBe('noindex');
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect(await from('203.0.113.3', '/refused', { method: 'HEAD' })).toMatchObject({ status: 429, body: '' });
  });

  test('requests for cached unknown slugs, HEAD requests, bots and unknown hosts count toward the budget', async () => {
    for (let i = 0; i < UNKNOWN; i += 4) {
      await from('203.0.113.4', '/same-guess');
      await from('203.0.113.4', '/same-guess', { method: 'HEAD' });
      await from('203.0.113.4', '/same-guess', { 'user-agent': 'Googlebot/2.1' });
      await from('203.0.113.4', '/same-guess', { host: 'unknown.example' });
    }
    expect(await statusOf('203.0.113.4', '/same-guess')).toBe(429);
    expect((await from('203.0.113.4', '/same-guess', { host: 'unknown.example' })).status).toBe(429);
    expect(await statusOf('203.0.113.4', '/')).toBe(200);
  });

  test('a guess beyond the budget is rejected before any lookup', async () => {
    const { _id: uncached } = await fixture.aRoute();
    await times(UNKNOWN, (i) => from('203.0.113.5', `/before-${i}`));
    expect(await statusOf('203.0.113.5', uncached)).toBe(429);
    expect(await statusOf('203.0.113.6', uncached)).toBe(302);
  });

  test('a link whose cached route is stale still works from an address beyond the budget', async () => {
    const { _id: path } = await fixture.aRoute({ maxClicks: 50 });
    // The invalidation of the new route may arrive after the first visit and drop the route from the cache. The visits
    // that use up the budget for limited links, and the pause after them, give the invalidation time to arrive. Then a HEAD
    // request caches the route again.
    await until(async () => (await statusOf('203.0.113.13', path)) === 429);
    await sleep(100);
    expect((await from('203.0.113.13', path, { method: 'HEAD' })).status).toBe(302);
    await times(UNKNOWN + 1, (i) => from('203.0.113.14', `/known-${i}`));
    // Routes of limited links are stale after 900 ms.
    await sleep(1_000);
    expect(await statusOf('203.0.113.14', path)).toBe(302);
    expect(await statusOf('203.0.113.14', '/known-after')).toBe(429);
  });

  test('many visitors of a new link, and many new links, cost none of the budget', async () => {
    const { _id: path } = await fixture.aRoute();
    expect(tally(await times(500, () => from('203.0.113.7', path)))).toEqual({ 302: 500 });
    for (let i = 0; i < 2 * UNKNOWN; i += 1) {
      const { _id } = await fixture.aRoute(i % 2 ? { status: 'archived' } : {});
      expect(await statusOf('203.0.113.7', _id)).toBe(i % 2 ? 410 : 302);
    }
    const guesses = await times(UNKNOWN + 1, (i) => from('203.0.113.7', `/crowd-${i}`));
    expect(tally(guesses)).toEqual({ 404: UNKNOWN, 429: 1 });
  });

  test('one address cannot use up a limited link; other addresses and other links are not affected', async () => {
    const route = await fixture.aRoute({ maxClicks: 50 });
    const other = await fixture.aRoute({ maxClicks: 50 });
    const refusedBefore = await metric('tautan_redirects_total{result="refused_limited"');
    const visits = await times(20, () => from('203.0.113.8', route._id));
    for (let i = 0; i < 20; i += 1) visits.push(await from('203.0.113.8', route._id));
    expect(tally(visits)).toEqual({ 302: LIMITED, 429: 40 - LIMITED });
    const refused = visits.find(({ status }) => status === 429)!;
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused.headers).toMatchObject({ 'cache-control': 'private, no-store' });
    expect((await from('203.0.113.8', route._id, { method: 'HEAD' })).status).toBe(302);
    expect((await from('203.0.113.8', route._id, { 'user-agent': 'Googlebot/2.1' })).status).toBe(302);
    expect(await statusOf('203.0.113.8', other._id)).toBe(302);
    expect(await statusOf('203.0.113.9', route._id)).toBe(302);
    expect(await fixture.models.routes.findById(route._id).lean()).toMatchObject({ remaining: 50 - LIMITED - 1 });
    // The two links can be in different partitions, which are counted independently.
    await until(async () => (await fixture.link(other)).clickCount === 1);
    await until(async () => (await fixture.link(route)).clickCount >= LIMITED + 1);
    expect((await fixture.link(route)).clickCount).toBe(LIMITED + 1);
    expect(await metric('tautan_redirects_total{result="refused_limited"')).toBe(refusedBefore + 40 - LIMITED);
  });

  test('a used-up link costs none of the budget', async () => {
    const route = await fixture.aRoute({ maxClicks: 1 });
    expect(await statusOf('203.0.113.10', route._id)).toBe(302);
    for (let i = 0; i < 2 * LIMITED; i += 1) expect(await statusOf('203.0.113.10', route._id)).toBe(410);
    await fixture.change(route, { remaining: 5, maxClicks: 6 });
    await until(async () => (await statusOf('203.0.113.11', route._id)) === 302, 1_000);
    const visits = [];
    for (let i = 0; i < LIMITED; i += 1) visits.push(await from('203.0.113.10', route._id));
    expect(tally(visits)).toEqual({ 302: LIMITED - 1, 429: 1 });
  });

  test('the QR codes of a limited link share its budget', async () => {
    const link = await fixture.aRoute({ maxClicks: 50 });
    const codes = [await aCode(fixture, link), await aCode(fixture, link)];
    const visits = [];
    for (const { _id } of [...codes, link, ...codes]) visits.push(await from('203.0.113.12', _id));
    expect(visits.map(({ status }) => status)).toEqual([302, 302, 302, 429, 429]);
    expect(await fixture.models.routes.findById(link._id).lean()).toMatchObject({ remaining: 47 });
  });

  test.each<Record<string, string>>([{}, { 'x-forwarded-for': 'unknown' }, { 'x-forwarded-for': '10.1.1.2' }])(
    'without a client address, nothing is limited behind trusted proxies: %j',
    async (headers) => {
      const proxied = (path: string) => visit(port, path, headers);
      expect(tally(await times(3 * UNKNOWN, (i) => proxied(`/proxied-${i}`)))).toEqual({ 404: 3 * UNKNOWN });
      const { _id: path } = await fixture.aRoute({ maxClicks: 50 });
      expect(tally(await times(3 * LIMITED, () => proxied(path)))).toEqual({ 302: 3 * LIMITED });
    },
  );
});

async function aCode(fixture: Fixture, link: LinkRoute): Promise<Route> {
  const qrId = newId('qr');
  const { _id: key, status, expiresAt } = link;
  const follows = { key, status, expiresAt, limited: true };
  const code: Route = {
    ...link,
    _id: routeKey(null, qrId.slice(3)),
    qrId,
    via: 'qr',
    follows,
    maxClicks: null,
    remaining: null,
  };
  await fixture.models.routes.create(code);
  return code;
}

describe('a budget', () => {
  const tries = (budget: AddressBudget, address: string, n: number): number => {
    let allowed = 0;
    for (let i = 0; i < n; i += 1) {
      try {
        budget.charge(address);
        allowed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(OverBudget);
      }
    }
    return allowed;
  };

  test('counts IPv6 addresses by /64, and also by /56 with ten times the budget', () => {
    const budget = new AddressBudget('unknown', 4);
    expect(tries(budget, '2001:db8:1:100::1', 3)).toBe(3);
    expect(tries(budget, '2001:db8:1:100::2', 3)).toBe(1);
    for (let i = 1; i < 10; i += 1) expect(tries(budget, `2001:db8:1:10${i}::1`, 9)).toBe(4);
    expect(tries(budget, '2001:db8:1:1ff::1', 1)).toBe(0);
    expect(tries(budget, '2001:db8:1:200::1', 9)).toBe(4);
  });

  test('is refunded if the work fails or its result does not count', async () => {
    const budget = new AddressBudget('limited', 1);
    const spend = (work: () => Promise<string>) => budget.spend('2001:db8::1', '/a', work, (it) => it === 'counts');
    await expect(spend(() => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable');
    expect(await spend(async () => 'free')).toBe('free');
    expect(await spend(async () => 'counts')).toBe('counts');
    expect(() => spend(async () => 'never runs')).toThrow(OverBudget);
  });

  test('of 0 is disabled, and requests without a client address are not counted', () => {
    expect(tries(new AddressBudget('unknown', 0), '203.0.113.1', 100)).toBe(100);
    expect(tries(new AddressBudget('unknown', 1), '', 100)).toBe(100);
  });

  test('stays bounded in memory with requests from 200,000 addresses', () => {
    const budget = new AddressBudget('unknown', 1);
    let largest = 0;
    for (let i = 0; i < 200_000; i += 1) {
      budget.charge(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
      largest = Math.max(largest, budget.size);
    }
    expect(largest).toBeGreaterThan(10_000);
    expect(largest).toBeLessThanOrEqual(50_000);
    // The counter of the last address is still in memory.
    expect(() => budget.charge('10.3.13.63')).toThrow(OverBudget);
  });
});
