import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { domainRoute } from './domain/route.js';
import { startRedirectDomains, WORKSPACE, type RedirectDomains } from '../testing/redirect-domains.js';
import { visit } from '../testing/redirects.js';

const OTHER = 'ws_01jd0000000000000000000001';
let fixture: RedirectDomains;
beforeAll(async () => {
  fixture = await startRedirectDomains();
});
afterAll(() => fixture.stop());

describe('a custom domain', () => {
  test('serves its own slugs and no others, regardless of letter case and of a port in the host', async () => {
    const host = await fixture.aDomain();
    await fixture.aRouteOn(host, 'promo');
    const onDefaultDomain = await fixture.aRoute();
    expect(await fixture.statuses(host, '/promo')).toEqual([302, 302]);
    expect(await fixture.statuses(`${host.toUpperCase()}:8080`, '/Promo?a=1')).toEqual([302, 302]);
    expect(await fixture.statuses(host, onDefaultDomain._id)).toEqual([404, 404]);
    expect(await fixture.statuses('go.example.com', '/promo')).toEqual([404, 404]);
    expect(await fixture.statuses(host, '/')).toEqual([404, 404]);
    expect(await fixture.statuses(host, '/robots.txt')).toEqual([200, 200]);
  });

  test('that is not verified does not redirect, even if it has links', async () => {
    const host = `d${newUlid()}.example`;
    await fixture.aRouteOn(host, 'promo');
    expect(await fixture.statuses(host, '/promo')).toEqual([404, 404]);
  });

  test('starts and stops serving within one second on every replica', async () => {
    const host = await fixture.aDomain();
    await fixture.aRouteOn(host, 'promo');
    expect(await fixture.statuses(host, '/promo')).toEqual([302, 302]);
    await fixture.removeDomain(host);
    fixture.invalidate(host);
    await fixture.untilStatus(host, '/promo', 404);
    await fixture.models.routes.create(domainRoute({ _id: newId('dom'), workspaceId: WORKSPACE, name: host }));
    fixture.invalidate(host);
    await fixture.untilStatus(host, '/promo', 302);
  });

  test('stops serving after a domain.failed event, even without an invalidation', async () => {
    const host = await fixture.aDomain();
    await fixture.aRouteOn(host, 'promo');
    expect(await fixture.statuses(host, '/promo')).toEqual([302, 302]);
    // A crash after the database write can prevent the invalidation.
    await fixture.removeDomain(host);
    fixture.bus.notify('events.domain.failed', { data: { domain: host } });
    await fixture.untilStatus(host, '/promo', 404);
  });

  test('does not serve routes of a former owner, nor consume their limits', async () => {
    const host = await fixture.aDomain(OTHER);
    await fixture.aRouteOn(host, 'promo');
    const limited = await fixture.aRouteOn(host, 'limited', { maxClicks: 5 });
    await fixture.aRouteOn(host, 'archived', { status: 'archived' });
    await fixture.aRouteOn(host, 'own', { workspaceId: OTHER });
    await fixture.aRouteOn(host, 'own-archived', { workspaceId: OTHER, status: 'archived' });
    // Twice: read from the database, then from the cache.
    for (let round = 0; round < 2; round += 1) {
      for (const path of ['/promo', '/limited', '/archived'])
        expect(await fixture.statuses(host, path)).toEqual([404, 404]);
      expect(await fixture.statuses(host, '/own')).toEqual([302, 302]);
      expect(await fixture.statuses(host, '/own-archived')).toEqual([410, 410]);
    }
    expect((await fixture.models.routes.findById(limited._id).lean())!.remaining).toBe(5);
  });

  test('consumes the limits of its links exactly', async () => {
    const host = await fixture.aDomain();
    await fixture.aRouteOn(host, 'few', { maxClicks: 3 });
    const visits = await Promise.all(
      Array.from({ length: 20 }, (_, i) => visit(fixture.ports[i % 2]!, '/few', { host })),
    );
    expect(visits.filter(({ status }) => status === 302)).toHaveLength(3);
    expect(visits.filter(({ status }) => status === 410)).toHaveLength(17);
  });
});
