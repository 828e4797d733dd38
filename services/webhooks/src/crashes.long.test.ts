import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { startProcess, until, type ServiceProcess } from '@tautan/kit/testing';
import { Receiver, verify } from './testing/receiver.js';
import { anEvent, startService, type TestService } from './testing/service.js';

/** How often the service is killed; each time takes more than a second. */
const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 12);
const EVENTS = KILLS * 2;

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  // Short leases: what a killed process had is taken over soon.
  service = await startService({ LEASE_MS: '500', ATTEMPT_TIMEOUT_MS: '100' });
  receiver = await Receiver.start();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

test(
  'killed between POST and commit, again and again: nothing is lost, and repetitions are the same message',
  async () => {
    const caller = service.as();
    const { secret } = await caller.anEndpoint(receiver.url());
    // From here on it is processes that deliver, so that they can be killed.
    await service.stopService();
    let running: ServiceProcess | undefined;
    let kills = 0;
    let arrivals = 0;
    const verified: unknown[] = [];
    receiver.respond = (request, response) => {
      arrivals += 1;
      // Now: the library takes nothing older than five minutes.
      verified.push(verify(secret, request));
      const victim = kills < KILLS && arrivals % 2 === 0 ? running : undefined;
      const accept = (): void => void response.writeHead(200).end();
      if (!victim) return accept();
      running = undefined;
      kills += 1;
      // Before it has the answer, and when it has it but has not yet written it down.
      if (kills % 2 === 0) accept();
      void victim.kill();
    };
    const events = [];
    for (let i = 0; i < EVENTS; i += 1) events.push(await service.tell(anEvent(caller.workspaceId)));

    while (kills < KILLS) {
      running = await startProcess(join(import.meta.dirname, 'main.js'), service.settings);
      const mine = running;
      await until(() => running !== mine, 60_000);
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
    // Some came twice, or nothing was tried here; none as often as there were kills.
    expect(receiver.received.length).toBeGreaterThan(EVENTS);
    expect(receiver.received.length).toBeLessThanOrEqual(EVENTS + KILLS * 4);
  },
  60_000 + KILLS * 10_000,
);
