import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { startDomainStage, type DomainStage } from '../testing/domain-stage.js';

let stage: DomainStage;
beforeAll(async () => {
  stage = await startDomainStage();
}, 30_000);
afterAll(() => stage.stop());

test('a domain stops within a second while the bus is unavailable', async () => {
  const host = await stage.aDomain();
  await stage.on(host, 'promo');
  expect(await stage.statuses(host, '/promo')).toEqual([302, 302]);
  await stage.nats.stop();
  await until(() => !stage.bus.connected);
  await stage.end(host);
  await stage.turnTo(host, '/promo', 404, 1_500);
  await stage.nats.start();
  await until(() => stage.bus.connected);
}, 30_000);

test('a domain is still served while the database is unavailable', async () => {
  const host = await stage.aDomain();
  await stage.on(host, 'promo');
  await stage.turnTo(host, '/promo', 302, 5_000);
  await stage.mongo.stop();
  await stage.nats.stop();
  await until(() => !stage.bus.connected);
  // Longer than cached entries are fresh.
  const lateEnough = Date.now() + 1_500;
  await until(
    async () => (await stage.statuses(host, '/promo')).every((each) => each === 302) && Date.now() > lateEnough,
    8_000,
  );
  expect(await stage.statuses(`d${newUlid()}.example`, '/promo')).toEqual([503, 503]);
  await stage.mongo.start();
  await stage.nats.start();
  await stage.turnTo(`d${newUlid()}.example`, '/promo', 404, 15_000);
}, 40_000);
