import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { allowedMs, until } from '@tautan/kit/testing';
import { startFixture, visit, type Fixture } from '../testing/redirects.js';

let fixture: Fixture;
beforeEach(async () => void (fixture = await startFixture({ own: true })));
afterEach(() => fixture.stop());

const httpOf = ({ ports }: { ports: Record<string, number> }) => ports['http']!;
const visitMany = (port: number, path: string, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await visit(port, path)).status));
const spillFiles = async () =>
  (await readdir(join(fixture.folder, 'clicks'), { recursive: true })).filter((name) => name.endsWith('.clicks'));

test('without the bus, redirects work, changes take effect within 1.5 s, and clicks are counted when the bus is back', async () => {
  const service = await fixture.roles('redirect,stats');
  const port = httpOf(service);
  const [route, other] = [await fixture.aRoute(), await fixture.aRoute()];
  expect(await visitMany(port, route._id, 5)).toEqual(Array(5).fill(302));
  await until(async () => (await fixture.link(route)).clickCount === 5, 5_000);
  await fixture.nats.stop();
  expect(await visitMany(port, route._id, 50)).toEqual(Array(50).fill(302));
  expect(await visitMany(port, other._id, 5)).toEqual(Array(5).fill(302));
  await fixture.change(other, { status: 'archived' });
  await until(async () => (await visit(port, other._id)).status === 410, 1_500);
  await until(async () => (await spillFiles()).length > 0, 2_000);
  await fixture.nats.start();
  await until(async () => (await fixture.link(route)).clickCount === 55, 15_000);
  // The visits that `until` made before the change took effect are counted as well.
  expect((await fixture.link(other)).clickCount).toBeGreaterThanOrEqual(5);
  await until(async () => (await spillFiles()).length === 0, 5_000);
  const clicks = async (name: string) =>
    Number(
      new RegExp(`^tautan_clicks_${name}_total\\{.*\\} (\\d+)`, 'm').exec(
        await (await fetchAdmin(service, 'metrics')).text(),
      )?.[1],
    );
  const recorded = await clicks('recorded');
  expect(recorded).toBeGreaterThanOrEqual(60);
  await until(async () => (await clicks('applied')) === recorded, 5_000);
  expect([await clicks('published'), await clicks('dropped')]).toEqual([recorded, 0]);
  expect(await clicks('spilled')).toBeGreaterThanOrEqual(55);
});

test('without the database, redirects of cached routes without a limit work, others fail fast, and all recover', async () => {
  const service = await fixture.roles('redirect,stats');
  const port = httpOf(service);
  const [route, uncached, limited] = [
    await fixture.aRoute(),
    await fixture.aRoute(),
    await fixture.aRoute({ maxClicks: 5 }),
  ];
  expect((await visit(port, route._id)).status).toBe(302);
  expect((await visit(port, limited._id)).status).toBe(302);
  await fixture.mongo.stop();
  expect(await visitMany(port, route._id, 20)).toEqual(Array(20).fill(302));
  for (const path of [uncached._id, limited._id, uncached._id]) {
    const began = performance.now();
    expect(await visit(port, path)).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
    expect(performance.now() - began).toBeLessThan(allowedMs(2_500));
  }
  expect((await fetchAdmin(service, 'internal/tls/ask?domain=go.example')).status).toBe(503);
  await fixture.mongo.start();
  await until(async () => (await visit(port, uncached._id)).status === 302, 10_000);
  await until(async () => (await visit(port, limited._id)).status === 302, 5_000);
  await until(async () => (await fixture.link(route)).clickCount === 21, 15_000);
});

test('a process that is not yet connected to the database makes its first visitors wait', async () => {
  const route = await fixture.aRoute();
  await fixture.mongo.stop();
  const { ports } = await fixture.child('redirect');
  const visits = visitMany(ports['http']!, route._id, 3);
  await fixture.mongo.start();
  expect(await visits).toEqual([302, 302, 302]);
});

test('without the bus and the database, stale routes are served, and their clicks are counted', async () => {
  const port = httpOf(await fixture.roles('redirect,stats'));
  const route = await fixture.aRoute();
  expect((await visit(port, route._id)).status).toBe(302);
  await fixture.nats.stop();
  await fixture.mongo.stop();
  const began = performance.now();
  let visits = 1;
  // Longer than the lifetime of a cache entry without the bus.
  while (performance.now() - began < 1_500) {
    expect((await visit(port, route._id)).status).toBe(302);
    visits += 1;
  }
  await fixture.mongo.start();
  await fixture.nats.start();
  await until(async () => (await fixture.link(route)).clickCount === visits);
});

test('a process killed while the bus is unavailable loses only clicks that it had not flushed', async () => {
  const child = await fixture.child('redirect');
  const route = await fixture.aRoute();
  await until(async () => (await visit(httpOf(child), route._id)).status === 302, 5_000);
  await fixture.nats.stop();
  expect(await visitMany(httpOf(child), route._id, 40)).toEqual(Array(40).fill(302));
  await until(async () => (await spillFiles()).length > 0, 2_000);
  // Wait for a flush and the write of its batches.
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.process.kill('SIGKILL');
  await once(child.process, 'exit');
  await fixture.nats.start();
  await fixture.roles('redirect,stats');
  await until(async () => (await fixture.link(route)).clickCount === 41, 15_000);
  await until(async () => (await spillFiles()).length === 0, 5_000);
});

test('clicks of a process stopped while the bus is unavailable are published by the next process', async () => {
  const child = await fixture.child('redirect');
  const route = await fixture.aRoute();
  await until(async () => (await visit(httpOf(child), route._id)).status === 302, 5_000);
  await fixture.nats.stop();
  expect(await visitMany(httpOf(child), route._id, 30)).toEqual(Array(30).fill(302));
  child.process.kill('SIGTERM');
  expect(await once(child.process, 'exit')).toEqual([0, null]);
  await fixture.nats.start();
  await fixture.roles('redirect,stats');
  await until(async () => (await fixture.link(route)).clickCount === 31, 15_000);
});

const fetchAdmin = ({ ports }: { ports: Record<string, number> }, path: string) =>
  fetch(`http://127.0.0.1:${ports['admin']}/${path}`);
const readiness = async (service: { ports: Record<string, number> }) => {
  const answer = await fetchAdmin(service, 'readyz');
  return `${answer.status} ${(await answer.text()).trim().replaceAll('\n', '; ')}`;
};
const changes = async (service: { ports: Record<string, number> }, connection: string, change: string) =>
  Number(
    new RegExp(`connection_changes_total\\{connection="${connection}",change="${change}",.*\\} (\\d+)`).exec(
      await (await fetchAdmin(service, 'metrics')).text(),
    )?.[1],
  );

test('/readyz names unavailable dependencies: redirects are degraded, consumers of clicks are not ready', async () => {
  const [redirect, stats] = [await fixture.roles('redirect'), await fixture.roles('stats')];
  await until(async () => (await readiness(redirect)) === '200 ready');
  await fixture.nats.stop();
  await until(async () => (await readiness(redirect)) === '200 degraded: nats');
  await until(async () => (await readiness(stats)) === '503 not ready: nats');
  expect(await changes(redirect, 'nats', 'lost')).toBe(1);
  await fixture.mongo.stop();
  await until(async () => (await readiness(redirect)) === '200 degraded: mongodb, nats');
  await until(async () => (await readiness(stats)) === '503 not ready: mongodb, nats');
  await fixture.mongo.start();
  await fixture.nats.start();
  for (const each of [redirect, stats]) await until(async () => (await readiness(each)) === '200 ready');
  for (const connection of ['nats', 'mongodb'])
    for (const change of ['lost', 'restored'])
      expect(await changes(redirect, connection, change)).toBeGreaterThanOrEqual(1);
});
