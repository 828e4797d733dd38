import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Running } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { readLinksConfig } from '../config.js';
import { start } from '../main.js';
import { visit } from '../testing/redirects.js';
import { startService, type Caller, type TestService } from '../testing/service.js';

let service: TestService;
let replica: Running;
let ports: number[];

beforeAll(async () => {
  // The `api` role of the test service sweeps expired links every hour, so no sweep runs during these tests.
  service = await startService({ ROLES: 'api,redirect,stats' });
  const { SPILL_DIR } = service.settings;
  replica = await start(readLinksConfig({ ...service.settings, ROLES: 'redirect', SPILL_DIR: `${SPILL_DIR}/replica` }));
  await until(async () => (await fetch(`http://127.0.0.1:${replica.ports['admin']}/readyz`)).ok);
  ports = [service.ports['http']!, replica.ports['http']!];
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});

type QrRoute = Awaited<ReturnType<Caller['aCode']>>;

const onBoth = (slug: string) => Promise.all(ports.map((port) => visit(port, `/${slug}`)));
const statuses = async (slug: string) => (await onBoth(slug)).map(({ status }) => status);
/** Waits up to one second, the maximum delay of a change, until both replicas respond with this status and location. */
const untilBoth = (slug: string, status: number, location?: string) =>
  until(
    async () => (await onBoth(slug)).every((each) => each.status === status && each.headers.location === location),
    1_000,
  );
const routeOf = async ({ codes }: Caller, { qrCodeId }: QrRoute) =>
  (await codes('ListQrRoutes', { qrCodeIds: [qrCodeId] })).routes[0]!;

const poster = 'https://example.com/poster';

describe('a standalone QR code', () => {
  test('redirects, and counts visits by humans as scans of the code and the workspace', async () => {
    const caller = service.as();
    const code = await caller.aCode({ url: poster });
    for (let i = 0; i < 3; i += 1) await visit(ports[i % 2]!, `/${code.slug}?n=${i}`);
    const { status, headers } = await visit(ports[0]!, `/${code.slug}`, { method: 'HEAD' });
    expect([status, headers.location]).toEqual([302, poster]);
    await visit(ports[1]!, `/${code.slug}`, { 'user-agent': 'Googlebot/2.1' });
    const counted = await until(async () => {
      const found = await routeOf(caller, code);
      return found.scanCount >= 3 ? found : undefined;
    }, 5_000);
    expect(counted).toMatchObject({ scanCount: 3, lastScanAt: expect.stringMatching(/^\d{4}-/) });
    await until(
      async () => (await caller.stats('GetQrCodeStats', { qrCodeId: code.qrCodeId })).totals!.bots === 1,
      5_000,
    );
    const own = await caller.stats('GetQrCodeStats', { qrCodeId: code.qrCodeId });
    expect(own).toMatchObject({ totals: { clicks: 3, uniques: 1, bots: 1 }, sources: [{ key: 'qr', clicks: 3 }] });
    const all = await caller.stats('GetWorkspaceStats', {});
    expect(all).toMatchObject({ totals: { links: 0, qrCodes: 1, clicks: 3, scans: 3, bots: 1 }, topLinks: [] });
  });

  test('applies its changes on both replicas within a second', async () => {
    const caller = service.as();
    const { qrCodeId, slug } = await caller.aCode({ url: poster });
    await untilBoth(slug, 302, poster);
    await caller.aCode({ qrCodeId, version: 2, url: 'https://example.com/other' });
    await untilBoth(slug, 302, 'https://example.com/other');
    await caller.aCode({ qrCodeId, version: 3, status: 'archived' });
    await untilBoth(slug, 410);
    await caller.aCode({ qrCodeId, version: 4, expiresAt: new Date(Date.now() + 600).toISOString() });
    await untilBoth(slug, 302, poster);
    await until(async () => (await statuses(slug)).every((status) => status === 410), 2_000);
    await caller.aCode({ qrCodeId, version: 5 });
    await untilBoth(slug, 302, poster);
    await caller.codes('RemoveQrRoute', { qrCodeId });
    await untilBoth(slug, 404);
  });

  test('admits exactly as many scans as its limit, across both replicas', async () => {
    const caller = service.as();
    const code = await caller.aCode({ maxScans: 5 });
    const visits = await Promise.all(Array.from({ length: 50 }, (_, i) => visit(ports[i % 2]!, `/${code.slug}`)));
    expect(visits.filter(({ status }) => status === 302)).toHaveLength(5);
    expect(visits.filter(({ status }) => status === 410)).toHaveLength(45);
    expect(await routeOf(caller, code)).toMatchObject({ remaining: 0 });
    await caller.aCode({ qrCodeId: code.qrCodeId, version: 2, maxScans: 6 });
    await until(async () => (await statuses(code.slug)).includes(302), 1_000);
    expect(await statuses(code.slug)).toEqual([410, 410]);
  });
});

describe('a QR code of a link', () => {
  test('counts a visit as a scan of the code and a click of the link', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const code = await caller.aCode({ linkId: link.id });
    await onBoth(code.slug);
    await visit(ports[0]!, `/${link.slug}`);
    const clicks = async () => (await caller.links('GetLink', { idOrSlug: link.id })).clickCount;
    await until(async () => (await clicks()) === 3 && (await routeOf(caller, code)).scanCount === 2, 5_000);
    const ofLink = await caller.stats('GetLinkStats', { idOrSlug: link.id });
    expect(ofLink.sources).toEqual([
      { key: 'qr', clicks: 2 },
      { key: 'link', clicks: 1 },
    ]);
    expect((await caller.stats('GetQrCodeStats', { qrCodeId: code.qrCodeId })).totals).toMatchObject({ clicks: 2 });
    const all = await caller.stats('GetWorkspaceStats', {});
    expect(all).toMatchObject({ totals: { clicks: 3, scans: 2 }, topLinks: [{ id: link.id, clicks: 3 }] });
  });

  test('follows changes and the deletion of its link on both replicas within a second', async () => {
    const caller = service.as();
    const link = await caller.aLink({ url: 'https://example.com/1' });
    const { slug, qrCodeId } = await caller.aCode({ linkId: link.id });
    await untilBoth(slug, 302, 'https://example.com/1');
    const change = (fields: object) => caller.links('UpdateLink', { id: link.id, clear: [], ...fields });
    await change({ url: 'https://example.com/2', slug: `${link.slug}-b` });
    await untilBoth(slug, 302, 'https://example.com/2');
    await change({ status: 'archived' });
    await untilBoth(slug, 410);
    await change({ status: 'active', expiresAt: new Date(Date.now() + 600).toISOString() });
    await untilBoth(slug, 302, 'https://example.com/2');
    await until(async () => (await statuses(slug)).every((status) => status === 410), 2_000);
    await change({ clear: ['expiresAt'], status: 'active' });
    await untilBoth(slug, 302, 'https://example.com/2');
    await caller.links('DeleteLink', { id: link.id });
    await untilBoth(slug, 410);
    await caller.aCode({ qrCodeId, version: 2, url: poster });
    await untilBoth(slug, 302, poster);
  });

  test('is dropped from the cache by the next event of the link if a crash prevented its invalidation', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const { slug } = await caller.aCode({ linkId: link.id });
    await untilBoth(slug, 302, link.url);
    await service.models.routes.updateOne({ _id: `/${slug}` }, { $set: { 'follows.status': 'archived' } });
    expect(await statuses(slug)).toEqual([302, 302]);
    await caller.links('UpdateLink', { id: link.id, title: 'Changes no route', clear: [] });
    await untilBoth(slug, 410);
  });

  test('stops at the limit of its link, and resumes when that limit is raised or removed', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const { slug } = await caller.aCode({ linkId: link.id });
    await untilBoth(slug, 302, link.url);
    const change = (fields: object) => caller.links('UpdateLink', { id: link.id, clear: [], ...fields });
    await until(async () => (await caller.links('GetLink', { idOrSlug: link.id })).clickCount >= 2, 5_000);
    const { clickCount } = await caller.links('GetLink', { idOrSlug: link.id });
    await change({ maxClicks: clickCount + 2 });
    const visitStatuses: number[] = [];
    for (let i = 0; i < 4; i += 1)
      visitStatuses.push((await visit(ports[i % 2]!, `/${i < 2 ? slug : link.slug}`)).status);
    expect(visitStatuses).toEqual([302, 302, 410, 410]);
    expect(await statuses(slug)).toEqual([410, 410]);
    await change({ maxClicks: clickCount + 3, status: 'active' });
    await until(async () => (await visit(ports[0]!, `/${slug}`)).status === 302, 1_000);
    await until(async () => (await statuses(slug)).every((status) => status === 410), 1_000);
    await change({ clear: ['maxClicks'], status: 'active' });
    await untilBoth(slug, 302, link.url);
  });

  test('and the link itself admit exactly as many visits as both limits allow, across both replicas', async () => {
    const caller = service.as();
    for (let round = 0; round < 3; round += 1) {
      const link = await caller.aLink({ maxClicks: 10 });
      const code = await caller.aCode({ linkId: link.id, maxScans: 5 });
      const unlimited = await caller.aCode({ linkId: link.id });
      const paths = [code.slug, link.slug, code.slug, unlimited.slug, code.slug];
      const visits = await Promise.all(
        Array.from({ length: 60 }, async (_, i) => {
          const path = paths[i % paths.length]!;
          return { path, status: (await visit(ports[i % 2]!, `/${path}`)).status };
        }),
      );
      const redirected = visits.filter(({ status }) => status === 302);
      expect(visits.filter(({ status }) => status !== 302 && status !== 410)).toEqual([]);
      expect(redirected).toHaveLength(10);
      expect(redirected.filter(({ path }) => path === code.slug).length).toBeLessThanOrEqual(5);
      const [codeRoute, linkRoute] = await Promise.all([
        routeOf(caller, code),
        service.models.routes.findById(`/${link.slug}`).lean(),
      ]);
      expect(codeRoute.remaining).toBe(5 - redirected.filter(({ path }) => path === code.slug).length);
      expect(linkRoute!.remaining).toBe(0);
    }
  });

  test('admits exactly as many scans as its own limit if its link allows more', async () => {
    const caller = service.as();
    const link = await caller.aLink({ maxClicks: 10 });
    const code = await caller.aCode({ linkId: link.id, maxScans: 5 });
    const countRedirects = async (slug: string, count: number) => {
      const visits = await Promise.all(Array.from({ length: count }, (_, i) => visit(ports[i % 2]!, `/${slug}`)));
      return visits.filter(({ status }) => status === 302).length;
    };
    expect(await countRedirects(code.slug, 50)).toBe(5);
    expect(await countRedirects(link.slug, 50)).toBe(5);
    expect(await countRedirects(code.slug, 10)).toBe(0);
    expect(await routeOf(caller, code)).toMatchObject({ remaining: 0 });
  });

  test('stops when its link is archived, without using up its own scan limit', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const { slug } = await caller.aCode({ linkId: link.id, maxScans: 100 });
    await untilBoth(slug, 302, link.url);
    await caller.links('BulkLinks', { action: 'archive', ids: [link.id] });
    await untilBoth(slug, 410);
    const { remaining } = (await service.models.routes.findById(`/${slug}`).lean())!;
    expect(await statuses(slug)).toEqual([410, 410]);
    expect((await service.models.routes.findById(`/${slug}`).lean())!.remaining).toBe(remaining);
  });
});
