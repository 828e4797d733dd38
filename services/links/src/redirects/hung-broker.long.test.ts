import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { allowedMs, brokerPrograms, startBrokerProcess, until, type BrokerProcess } from '@tautan/kit/testing';
import { startFixture, visit, type Fixture } from '../testing/redirects.js';

describe.each(brokerPrograms)('while the broker hangs (%s)', (program) => {
  let broker: BrokerProcess;
  let fixture: Fixture;
  beforeEach(async () => {
    broker = await startBrokerProcess(program);
    fixture = await startFixture({ own: true, natsUrl: broker.url });
  });
  afterEach(async () => {
    broker.signal('SIGCONT');
    await fixture.stop();
    await broker.stop();
  });

  test('a change to a cached link takes effect within a second', async () => {
    const { ports } = await fixture.roles('redirect');
    const port = ports['http']!;
    const route = await fixture.aRoute();
    expect((await visit(port, route._id)).status).toBe(302);
    // From this age on, a cached route is used only while the bus counts as connected.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    broker.signal('SIGSTOP');
    await fixture.change(route, { status: 'archived' });
    const changedAt = performance.now();
    // On a busy machine, the process may detect the hang later, by about the duration of its slowest response.
    let slowestMs = 0;
    await until(async () => {
      const sentAt = performance.now();
      const { status } = await visit(port, route._id);
      slowestMs = Math.max(slowestMs, performance.now() - sentAt);
      return status === 410;
    }, 5_000);
    expect(performance.now() - changedAt - slowestMs).toBeLessThan(allowedMs(1_000));
  });

  test('a killed process loses at most the clicks of its last 50 ms', async () => {
    const routes = await Promise.all(Array.from({ length: 40 }, () => fixture.aRoute()));
    /** Number of redirects, and how many of them must be counted. */
    let [redirects, durable] = [0, 0];
    for (let kills = 0; kills < 5; kills += 1) {
      const { process: child, ports } = await fixture.child('redirect');
      const times: number[] = [];
      let slowestMs = 0;
      const redirect = async (i: number) => {
        const began = performance.now();
        const { status } = await visit(ports['http']!, routes[i % routes.length]!._id);
        slowestMs = Math.max(slowestMs, performance.now() - began);
        if (status === 302) times.push(performance.now());
      };
      await Promise.all(routes.map((_, i) => redirect(i)));
      slowestMs = 0;
      broker.signal('SIGSTOP');
      // Shorter than the time until the bus counts as disconnected, so batches are still being sent to it.
      const end = performance.now() + 350;
      for (let i = 0; performance.now() < end; i += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, k) => redirect(i + k)));
      }
      const killedAt = performance.now();
      child.kill('SIGKILL');
      await once(child, 'exit');
      redirects += times.length;
      // Allows for the write of a batch and, on a busy machine, for a delay as long as that of the slowest response.
      const maxLossMs = 50 + Math.max(25, slowestMs);
      durable += times.filter((time) => killedAt - time > maxLossMs).length;
      // Kills and restarts the broker, so that the clicks in its socket buffers, which it has not read, are lost.
      await broker.crash();
    }
    await fixture.roles('redirect,stats');
    const counted = async () => {
      const links = await Promise.all(routes.map((route) => fixture.link(route)));
      return links.reduce((sum, { clickCount }) => sum + clickCount, 0);
    };
    expect(durable).toBeGreaterThan(0);
    await until(async () => (await counted()) >= durable);
    expect(await counted()).toBeLessThanOrEqual(redirects);
  });
});
