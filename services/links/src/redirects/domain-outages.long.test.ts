import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { startRedirectDomains, type RedirectDomains } from '../testing/redirect-domains.js';

let fixture: RedirectDomains;
beforeAll(async () => {
  fixture = await startRedirectDomains();
});
afterAll(() => fixture.stop());

test('a removed domain stops redirecting within 1.5 s while the bus is unavailable', async () => {
  const host = await fixture.aDomain();
  await fixture.aRouteOn(host, 'promo');
  expect(await fixture.statuses(host, '/promo')).toEqual([302, 302]);
  await fixture.nats.stop();
  await until(() => !fixture.bus.connected);
  await fixture.removeDomain(host);
  await fixture.untilStatus(host, '/promo', 404, 1_500);
  await fixture.nats.start();
  await until(() => fixture.bus.connected);
});

test('while the database and the bus are unavailable, a cached domain is served and an unknown one gets 503', async () => {
  const host = await fixture.aDomain();
  await fixture.aRouteOn(host, 'promo');
  await fixture.untilStatus(host, '/promo', 302, 5_000);
  await fixture.mongo.stop();
  await fixture.nats.stop();
  await until(() => !fixture.bus.connected);
  // After this time, cached entries are no longer fresh.
  const lateEnough = Date.now() + 1_500;
  await until(
    async () => (await fixture.statuses(host, '/promo')).every((each) => each === 302) && Date.now() > lateEnough,
    8_000,
  );
  expect(await fixture.statuses(`d${newUlid()}.example`, '/promo')).toEqual([503, 503]);
  await fixture.mongo.start();
  await fixture.nats.start();
  await fixture.untilStatus(`d${newUlid()}.example`, '/promo', 404, 15_000);
});
