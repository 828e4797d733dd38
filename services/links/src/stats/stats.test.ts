import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { clickPartition, clickSubject, type ClickBatch } from '@tautan/proto';
import { startFixture, type LinkRoute, type Fixture } from '../testing/redirects.js';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await startFixture();
  // Two replicas, which share the partitions.
  await fixture.roles('stats');
  await fixture.roles('stats');
});
afterAll(() => fixture.stop());

const BASE = Date.parse('2030-01-01T00:00:00.000Z');

/** Returns a batch of clicks, one per given link, a second apart. */
function aBatch(links: string[], verdict: 'h' | 'b' = 'h'): ClickBatch {
  const texts = ['ws_1', 'UA', '', 'visitor', ...links];
  return {
    v: 1,
    id: newUlid(),
    base: BASE,
    texts,
    clicks: links.map((link, i) => [i * 1_000, texts.indexOf(link), -1, 0, verdict, 1, 2, 2, 2, 3, 'l']),
  };
}
const publish = (route: LinkRoute, payload: string, id = newUlid()) =>
  fixture.bus.publish(clickSubject(clickPartition(route.linkId)), payload, { id });
const send = (route: LinkRoute, { texts: [, ...texts], ...batch }: ClickBatch, id = batch.id) =>
  publish(route, JSON.stringify({ ...batch, texts: [route.workspaceId, ...texts] }), id);

test('a batch adds its human clicks, and the time of the last one, to the link', async () => {
  const route = await fixture.aRoute();
  const { linkId } = route;
  await send(route, aBatch([linkId, linkId, linkId]));
  await send(route, aBatch([linkId, linkId, linkId, linkId], 'b'));
  await until(async () => (await fixture.link(route)).clickCount > 0, 5_000);
  await send(route, aBatch([linkId]));
  await until(async () => (await fixture.link(route)).clickCount === 4, 5_000);
  expect((await fixture.link(route)).lastClickAt).toEqual(new Date(BASE + 2_000));
});

test('a repeated batch is applied once, regardless of its message id on the stream', async () => {
  const route = await fixture.aRoute();
  const batch = aBatch([route.linkId]);
  for (let i = 0; i < 5; i += 1) await send(route, batch, newUlid());
  const last = aBatch([route.linkId]);
  await send(route, last);
  await until(async () => (await fixture.models.appliedBatches.exists({ _id: last.id })) !== null, 5_000);
  await until(async () => (await fixture.link(route)).clickCount === 2, 5_000);
});

test('a backlog of small batches of one link is applied in large transactions', async () => {
  const route = await fixture.aRoute();
  const batches = Array.from({ length: 512 }, () => aBatch([route.linkId]));
  await Promise.all(batches.map((batch) => send(route, batch)));
  await until(async () => (await fixture.link(route)).clickCount === batches.length);
  // All batches that one transaction applied have the same `at`.
  const ids = batches.map(({ id }) => id);
  const times = await fixture.models.appliedBatches.distinct('at', { _id: { $in: ids } });
  expect(times.length).toBeLessThan(batches.length / 5);
});

test('clicks of deleted links are skipped, and those of the other links in the batch are counted', async () => {
  const route = await fixture.aRoute();
  await send(route, aBatch(['lnk_gone', route.linkId, 'lnk_gone']));
  await until(async () => (await fixture.link(route)).clickCount === 1, 5_000);
});

test('clicks and concurrent changes to the same link are both applied', async () => {
  const route = await fixture.aRoute();
  let sent = 0;
  const clicks = (async () => {
    for (; sent < 40; sent += 1) await send(route, aBatch([route.linkId]));
  })();
  for (let i = 0; i < 40; i += 1)
    await fixture.models.links.updateOne({ _id: route.linkId }, { $set: { title: `title ${i}` } });
  await clicks;
  await until(async () => (await fixture.link(route)).clickCount === 40, 10_000);
  expect((await fixture.link(route)).title).toBe('title 39');
});

test('an invalid batch is dead-lettered, and its partition continues', async () => {
  const route = await fixture.aRoute();
  const poison = ['no JSON', '{"v":2}', JSON.stringify({ ...aBatch([route.linkId]), texts: [] })];
  for (const payload of poison) await publish(route, payload);
  await send(route, aBatch([route.linkId]));
  await until(async () => (await fixture.link(route)).clickCount === 1, 5_000);
  const letters = await until(async () => {
    const found = await fixture.models.deadLetters.find().sort({ _id: 1 }).lean();
    return found.length >= poison.length ? found : undefined;
  }, 40_000);
  expect(letters.map(({ payload }) => Buffer.from(payload.buffer).toString()).sort()).toEqual([...poison].sort());
  expect(letters[0]).toMatchObject({ subject: clickSubject(clickPartition(route.linkId)), reason: expect.any(String) });
  expect((await fixture.link(route)).clickCount).toBe(1);
});
