import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { domainRoute } from './domain/route.js';
import { startDomainStage, WORKSPACE, type DomainStage } from '../testing/domain-stage.js';
import { visit } from '../testing/redirects.js';

const OTHER = 'ws_01jd0000000000000000000001';
let stage: DomainStage;
beforeAll(async () => {
  stage = await startDomainStage();
}, 30_000);
afterAll(() => stage.stop());

describe('a custom domain', () => {
  test('serves its own slugs, in any case and with a port, and no others', async () => {
    const host = await stage.aDomain();
    await stage.on(host, 'promo');
    const plain = await stage.aRoute();
    expect(await stage.statuses(host, '/promo')).toEqual([302, 302]);
    expect(await stage.statuses(`${host.toUpperCase()}:8080`, '/Promo?a=1')).toEqual([302, 302]);
    expect(await stage.statuses(host, plain._id)).toEqual([404, 404]);
    expect(await stage.statuses('go.example.com', '/promo')).toEqual([404, 404]);
    expect(await stage.statuses(host, '/')).toEqual([404, 404]);
    expect(await stage.statuses(host, '/robots.txt')).toEqual([200, 200]);
  });

  test('that is not verified serves nothing, even with links', async () => {
    const host = `d${newUlid()}.example`;
    await stage.on(host, 'promo');
    expect(await stage.statuses(host, '/promo')).toEqual([404, 404]);
  });

  test('starts and stops serving within one second on every replica', async () => {
    const host = await stage.aDomain();
    await stage.on(host, 'promo');
    expect(await stage.statuses(host, '/promo')).toEqual([302, 302]);
    await stage.end(host);
    stage.tell(host);
    await stage.turnTo(host, '/promo', 404);
    await stage.models.routes.create(domainRoute({ _id: newId('dom'), workspaceId: WORKSPACE, name: host }));
    stage.tell(host);
    await stage.turnTo(host, '/promo', 302);
  });

  test('stops serving after its event alone, in case of a crash before the invalidation', async () => {
    const host = await stage.aDomain();
    await stage.on(host, 'promo');
    expect(await stage.statuses(host, '/promo')).toEqual([302, 302]);
    await stage.end(host);
    stage.bus.notify('events.domain.failed', { data: { domain: host } });
    await stage.turnTo(host, '/promo', 404);
  });

  test('does not serve routes of a former owner, nor consume their limits', async () => {
    const host = await stage.aDomain(OTHER);
    await stage.on(host, 'promo');
    const limited = await stage.on(host, 'limited', { maxClicks: 5 });
    await stage.on(host, 'archived', { status: 'archived' });
    await stage.on(host, 'own', { workspaceId: OTHER });
    await stage.on(host, 'own-archived', { workspaceId: OTHER, status: 'archived' });
    // Twice: read from the database, then from the cache.
    for (let round = 0; round < 2; round += 1) {
      for (const path of ['/promo', '/limited', '/archived'])
        expect(await stage.statuses(host, path)).toEqual([404, 404]);
      expect(await stage.statuses(host, '/own')).toEqual([302, 302]);
      expect(await stage.statuses(host, '/own-archived')).toEqual([410, 410]);
    }
    expect((await stage.models.routes.findById(limited._id).lean())!.remaining).toBe(5);
  });

  test('consumes the limits of its links exactly', async () => {
    const host = await stage.aDomain();
    await stage.on(host, 'few', { maxClicks: 3 });
    const visits = await Promise.all(
      Array.from({ length: 20 }, (_, i) => visit(stage.ports[i % 2]!, '/few', { host })),
    );
    expect(visits.filter(({ status }) => status === 302)).toHaveLength(3);
    expect(visits.filter(({ status }) => status === 410)).toHaveLength(17);
  });
});
