import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { startProcess, until, type ServiceProcess } from '@tautan/kit/testing';
import { Receiver, verify } from './testing/receiver.js';
import { anEvent, startService, type TestService } from './testing/service.js';

/** Number of kills; each takes more than a second. */
const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 6);
const EVENTS = KILLS * 2;

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  // Short leases, so that the queues of a killed process are taken over soon.
  service = await startService({ LEASE_MS: '500', ATTEMPT_TIMEOUT_MS: '100' });
  receiver = await Receiver.start();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

test(
  'loses nothing when killed between POST and commit, and repeats the same message',
  async () => {
    const caller = service.as();
    const { secret } = await caller.anEndpoint(receiver.url());
    // From here on, separate processes deliver, so that they can be killed.
    await service.stopService();
    let running: ServiceProcess | undefined;
    let kills = 0;
    let arrivals = 0;
    const verified: unknown[] = [];
    receiver.respond = (request, response) => {
      arrivals += 1;
      // Verify now, because the library rejects timestamps older than five minutes.
      verified.push(verify(secret, request));
      const victim = kills < KILLS && arrivals % 2 === 0 ? running : undefined;
      const accept = (): void => void response.writeHead(200).end();
      if (!victim) return accept();
      running = undefined;
      kills += 1;
      // Alternate between killing before the response and killing before it is recorded.
      if (kills % 2 === 0) accept();
      void victim.kill();
    };
    const events = [];
    for (let i = 0; i < EVENTS; i += 1) events.push(await service.publish(anEvent(caller.workspaceId)));

    while (kills < KILLS) {
      running = await startProcess(join(import.meta.dirname, 'main.js'), service.settings);
      const current = running;
      await until(() => running !== current, 60_000);
    }
    running = await startProcess(join(import.meta.dirname, 'main.js'), service.settings);
    const { deliveries } = service.models;
    await until(async () => (await deliveries.countDocuments({ status: 'succeeded' })) === EVENTS, 60_000);
    await running.kill();

    const delivered = new Map(receiver.received.map((request) => [request.headers['webhook-id']!, request]));
    expect([...delivered.keys()].sort()).toEqual(events.map(({ id }) => id).sort());
    for (const request of receiver.received) {
      expect(request.body).toBe(delivered.get(request.headers['webhook-id']!)!.body);
    }
    expect(verified).toHaveLength(receiver.received.length);
    // Some requests must have arrived twice; otherwise the test proves nothing.
    expect(receiver.received.length).toBeGreaterThan(EVENTS);
    // Each request that `attempts` does not count was interrupted by a kill. Attempts that time out on a busy machine
    // are counted.
    for (const { eventId, attempts } of await deliveries.find().lean()) {
      const times = receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId).length;
      expect(times - attempts).toBeLessThanOrEqual(KILLS);
    }
  },
  60_000 + KILLS * 10_000,
);
