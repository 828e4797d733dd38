import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { invalidations } from '@tautan/proto';
import { domainKey, domainRoute } from '../domain/route.js';
import { startStage, visit, type Stage } from '../testing/redirects.js';

const WORKSPACE = 'ws_01jd0000000000000000000000';
const OTHER = 'ws_01jd0000000000000000000001';
let stage: Stage;
let ports: number[];

beforeAll(async () => {
  stage = await startStage({ own: true });
  const replicas = [await stage.roles('redirect'), await stage.roles('redirect')];
  ports = replicas.map(({ addresses }) => addresses['http']!);
}, 30_000);
afterAll(() => stage.stop());

const tell = (name: string) => stage.bus.notify(invalidations.redirect, { keys: [domainKey(name)] });

/** A domain that is verified for a workspace. */
async function aDomain(workspaceId = WORKSPACE): Promise<string> {
  const name = `d${newUlid()}.example`;
  await stage.models.routes.create(domainRoute({ _id: newId('dom'), workspaceId, name }));
  tell(name);
  return name;
}
async function end(name: string): Promise<void> {
  await stage.models.routes.deleteOne({ _id: domainKey(name) });
}
const on = (host: string, slug: string, fields = {}) => stage.aRoute({ _id: `${host}/${slug}`, ...fields });
const statuses = async (host: string, path: string) =>
  (await Promise.all(ports.map((port) => visit(port, path, { host })))).map(({ status }) => status);
const turnTo = (host: string, path: string, status: number, withinMs = 1_000) =>
  until(async () => (await statuses(host, path)).every((each) => each === status), withinMs);

describe('a custom domain', () => {
  test('serves its own slugs, in any case and with a port, and nobody else’s', async () => {
    const host = await aDomain();
    await on(host, 'promo');
    const plain = await stage.aRoute();
    expect(await statuses(host, '/promo')).toEqual([302, 302]);
    expect(await statuses(`${host.toUpperCase()}:8080`, '/Promo?a=1')).toEqual([302, 302]);
    expect(await statuses(host, plain._id)).toEqual([404, 404]);
    expect(await statuses('go.example.com', '/promo')).toEqual([404, 404]);
    expect(await statuses(host, '/')).toEqual([404, 404]);
    expect(await statuses(host, '/robots.txt')).toEqual([200, 200]);
  });

  test('that is not verified serves nothing, though links are there', async () => {
    const host = `d${newUlid()}.example`;
    await on(host, 'promo');
    expect(await statuses(host, '/promo')).toEqual([404, 404]);
  });

  test('begins and ends to serve within a second on every replica', async () => {
    const host = await aDomain();
    await on(host, 'promo');
    expect(await statuses(host, '/promo')).toEqual([302, 302]);
    await end(host);
    tell(host);
    await turnTo(host, '/promo', 404);
    await stage.models.routes.create(domainRoute({ _id: newId('dom'), workspaceId: WORKSPACE, name: host }));
    tell(host);
    await turnTo(host, '/promo', 302);
  });

  test('ends by its event alone, should whoever ended it have died before telling', async () => {
    const host = await aDomain();
    await on(host, 'promo');
    expect(await statuses(host, '/promo')).toEqual([302, 302]);
    await end(host);
    stage.bus.notify('events.domain.failed', { data: { domain: host } });
    await turnTo(host, '/promo', 404);
  });

  test('does not serve what a former holder left there, nor uses it up', async () => {
    const host = await aDomain(OTHER);
    await on(host, 'promo');
    const limited = await on(host, 'limited', { maxClicks: 5 });
    await on(host, 'archived', { status: 'archived' });
    await on(host, 'own', { workspaceId: OTHER });
    await on(host, 'own-archived', { workspaceId: OTHER, status: 'archived' });
    // Twice: read, and from memory.
    for (let round = 0; round < 2; round += 1) {
      for (const path of ['/promo', '/limited', '/archived']) expect(await statuses(host, path)).toEqual([404, 404]);
      expect(await statuses(host, '/own')).toEqual([302, 302]);
      expect(await statuses(host, '/own-archived')).toEqual([410, 410]);
    }
    expect((await stage.models.routes.findById(limited._id).lean())!.remaining).toBe(5);
  });

  test('counts the limits of its links down exactly', async () => {
    const host = await aDomain();
    await on(host, 'few', { maxClicks: 3 });
    const visits = await Promise.all(Array.from({ length: 20 }, (_, i) => visit(ports[i % 2]!, '/few', { host })));
    expect(visits.filter(({ status }) => status === 302)).toHaveLength(3);
    expect(visits.filter(({ status }) => status === 410)).toHaveLength(17);
  });
});

describe('while servers are away', () => {
  test('a domain ends within a second although the bus cannot tell', async () => {
    const host = await aDomain();
    await on(host, 'promo');
    expect(await statuses(host, '/promo')).toEqual([302, 302]);
    await stage.nats.stop();
    await until(() => !stage.bus.connected);
    await end(host);
    await turnTo(host, '/promo', 404, 1_500);
    await stage.nats.start();
    await until(() => stage.bus.connected);
  }, 30_000);

  test('what was served goes on while the database is away', async () => {
    const host = await aDomain();
    await on(host, 'promo');
    await turnTo(host, '/promo', 302, 5_000);
    await stage.mongo.stop();
    await stage.nats.stop();
    await until(() => !stage.bus.connected);
    // Longer than what is known counts as fresh.
    const lateEnough = Date.now() + 1_500;
    await until(async () => (await statuses(host, '/promo')).every((each) => each === 302) && Date.now() > lateEnough, 8_000); // prettier-ignore
    expect(await statuses(`d${newUlid()}.example`, '/promo')).toEqual([503, 503]);
    await stage.mongo.start();
    await stage.nats.start();
    await turnTo(`d${newUlid()}.example`, '/promo', 404, 15_000);
  }, 40_000);
});
