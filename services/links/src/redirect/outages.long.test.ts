import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { startStage, visit, type Stage } from '../testing/redirects.js';

let stage: Stage;
beforeEach(async () => void (stage = await startStage({ own: true })));
afterEach(() => stage.stop());

const httpOf = ({ addresses }: { addresses: Record<string, number> }) => addresses['http']!;
const many = (port: number, path: string, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await visit(port, path)).status));
const spillFiles = async () =>
  (await readdir(join(stage.folder, 'clicks'), { recursive: true })).filter((name) => name.endsWith('.clicks'));

test('with the bus away redirects go on, changes show within a second, and clicks are counted once it is back', async () => {
  const port = httpOf(await stage.roles('redirect,stats'));
  const [route, other] = [await stage.aRoute(), await stage.aRoute()];
  expect(await many(port, route._id, 5)).toEqual(Array(5).fill(302));
  await until(async () => (await stage.link(route)).clickCount === 5, 5_000);
  await stage.nats.stop();
  expect(await many(port, route._id, 50)).toEqual(Array(50).fill(302));
  expect(await many(port, other._id, 5)).toEqual(Array(5).fill(302));
  await stage.change(other, { status: 'archived' });
  await until(async () => (await visit(port, other._id)).status === 410, 1_500);
  await until(async () => (await spillFiles()).length > 0, 2_000);
  await stage.nats.start();
  await until(async () => (await stage.link(route)).clickCount === 55, 15_000);
  // Those of the moments until the archive showed are clicks as well.
  expect((await stage.link(other)).clickCount).toBeGreaterThanOrEqual(5);
  await until(async () => (await spillFiles()).length === 0, 5_000);
}, 40_000);

test('with the database away cached redirects go on, others are refused quickly, and all recovers', async () => {
  const port = httpOf(await stage.roles('redirect,stats'));
  const [route, unknown, limited] = [await stage.aRoute(), await stage.aRoute(), await stage.aRoute({ maxClicks: 5 })];
  expect((await visit(port, route._id)).status).toBe(302);
  expect((await visit(port, limited._id)).status).toBe(302);
  await stage.mongo.stop();
  expect(await many(port, route._id, 20)).toEqual(Array(20).fill(302));
  for (const path of [unknown._id, limited._id, unknown._id]) {
    const began = performance.now();
    expect(await visit(port, path)).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
    expect(performance.now() - began).toBeLessThan(2_500);
  }
  await stage.mongo.start();
  await until(async () => (await visit(port, unknown._id)).status === 302, 10_000);
  await until(async () => (await visit(port, limited._id)).status === 302, 5_000);
  await until(async () => (await stage.link(route)).clickCount === 21, 15_000);
}, 40_000);

test('with both away stale answers serve, and their clicks are counted', async () => {
  const port = httpOf(await stage.roles('redirect,stats'));
  const route = await stage.aRoute();
  expect((await visit(port, route._id)).status).toBe(302);
  await stage.nats.stop();
  await stage.mongo.stop();
  const began = performance.now();
  let visits = 1;
  // Past the life of an answer without the bus.
  while (performance.now() - began < 1_500) {
    expect((await visit(port, route._id)).status).toBe(302);
    visits += 1;
  }
  await stage.mongo.start();
  await stage.nats.start();
  await until(async () => (await stage.link(route)).clickCount === visits, 20_000);
}, 40_000);

test('a process killed with the bus away loses no click that was older than a flush', async () => {
  const child = await stage.child('redirect');
  const route = await stage.aRoute();
  await until(async () => (await visit(httpOf(child), route._id)).status === 302, 5_000);
  await stage.nats.stop();
  expect(await many(httpOf(child), route._id, 40)).toEqual(Array(40).fill(302));
  await until(async () => (await spillFiles()).length > 0, 2_000);
  // A flush and the write of its batches.
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.process.kill('SIGKILL');
  await once(child.process, 'exit');
  await stage.nats.start();
  await stage.roles('redirect,stats');
  await until(async () => (await stage.link(route)).clickCount === 41, 15_000);
  await until(async () => (await spillFiles()).length === 0, 5_000);
}, 40_000);

test('a process that is told to stop with the bus away leaves its clicks to the next', async () => {
  const child = await stage.child('redirect');
  const route = await stage.aRoute();
  await until(async () => (await visit(httpOf(child), route._id)).status === 302, 5_000);
  await stage.nats.stop();
  expect(await many(httpOf(child), route._id, 30)).toEqual(Array(30).fill(302));
  child.process.kill('SIGTERM');
  expect(await once(child.process, 'exit')).toEqual([0, null]);
  await stage.nats.start();
  await stage.roles('redirect,stats');
  await until(async () => (await stage.link(route)).clickCount === 31, 15_000);
}, 40_000);
