import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { parseClickBatch } from '@tautan/proto';
import type { Route } from './domain/route.js';
import { startFixture, visit, type Fixture } from '../testing/redirects.js';

let fixture: Fixture;
let ports: number[];

beforeAll(async () => {
  fixture = await startFixture();
  const replicas = [await fixture.roles('redirect,stats'), await fixture.roles('redirect,stats')];
  ports = replicas.map(({ ports }) => ports['http']!);
});
afterAll(() => fixture.stop());

const onBoth = (path: string) => Promise.all(ports.map((port) => visit(port, path)));

test('of 1,000 concurrent visitors of a link with maxClicks 100, exactly 100 are redirected and counted', async () => {
  const route = await fixture.aRoute({ maxClicks: 100 });
  const visits = await Promise.all(Array.from({ length: 1_000 }, (_, i) => visit(ports[i % 2]!, route._id)));
  const count = (status: number) => visits.filter((each) => each.status === status).length;
  expect({ redirected: count(302), refused: count(410) }).toEqual({ redirected: 100, refused: 900 });
  await until(async () => (await fixture.link(route)).clickCount === 100, 5_000);
});

test.each<[string, Partial<Route>, number, string | undefined]>([
  ['an update', { url: 'https://example.com/new' }, 302, 'https://example.com/new'],
  ['archiving', { status: 'archived' }, 410, undefined],
  ['a deletion', { status: 'deleted' }, 404, undefined],
])('%s takes effect on both replicas within a second', async (_, update, status, location) => {
  const route = await fixture.aRoute();
  expect((await onBoth(route._id)).map((each) => each.status)).toEqual([302, 302]);
  await fixture.change(route, update);
  const isUpdated = async () =>
    (await onBoth(route._id)).every((each) => each.status === status && each.headers.location === location);
  await until(isUpdated, 1_000);
});

test('a new link works within a second, even if its slug is cached as missing', async () => {
  expect((await onBoth('/not-yet')).map((each) => each.status)).toEqual([404, 404]);
  await fixture.aRoute({ _id: '/not-yet' });
  await until(async () => (await onBoth('/not-yet')).every((each) => each.status === 302), 1_000);
});

test('an event about a link invalidates its cached route, even if the key of the route was not published', async () => {
  const route = await fixture.aRoute();
  await onBoth(route._id);
  await fixture.models.routes.updateOne({ _id: route._id }, { $set: { status: 'archived' } });
  fixture.bus.notify('events.link.updated', { data: { domain: null, slug: route._id.slice(1) }, changes: {} });
  await until(async () => (await onBoth(route._id)).every((each) => each.status === 410), 1_000);
});

test('an event about a changed slug invalidates the route of the old slug', async () => {
  const route = await fixture.aRoute({ _id: '/old-slug' });
  await onBoth(route._id);
  await fixture.models.routes.deleteOne({ _id: route._id });
  const changes = { slug: { before: 'Old-Slug', after: 'other' } };
  fixture.bus.notify('events.link.updated', { data: { domain: null, slug: 'other' }, changes });
  await until(async () => (await onBoth(route._id)).every((each) => each.status === 404), 1_000);
});

test('the salt of the day is shared by the replicas, so that they give a visitor the same id', async () => {
  const route = await fixture.aRoute();
  const visitors: string[] = [];
  fixture.bus.listen('clicks.*', (message) => {
    const { texts, clicks } = parseClickBatch(message);
    for (const click of clicks) if (texts[click[1]] === route.linkId) visitors.push(texts[click[9]]!);
  });
  await onBoth(route._id);
  await until(() => visitors.length === 2);
  expect(visitors[0]).toBe(visitors[1]);
});

test('the salt of the day is stored under its date, and expires within two days', async () => {
  await until(async () => (await fixture.models.dailySalts.countDocuments()) >= 1);
  const [salt] = await fixture.models.dailySalts.find().lean();
  expect(salt).toMatchObject({ _id: new Date().toISOString().slice(0, 10) });
  expect(salt!.expireAt.getTime() - Date.now()).toBeLessThanOrEqual(2 * 86_400_000);
});
