import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { allowedMs, until } from '@tautan/kit/testing';
import { clickSubject } from '@tautan/proto';
import { aClickBatch } from '../testing/clicks.js';
import { startFixture, type Fixture } from '../testing/redirects.js';

let fixture: Fixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture.stop());

test('clicks that a killed statistics process had received are counted within 5 s after its replacement is ready', async () => {
  const route = await fixture.aRoute();
  const { process: child } = await fixture.child('stats');
  const publish = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const { batch, partition } = aClickBatch([
        { link: route.linkId, workspace: route.workspaceId, visitor: newUlid(), at: Date.now() },
      ]);
      await fixture.bus.publish(clickSubject(partition), JSON.stringify(batch), { id: batch.id });
    }
  };
  await publish(1);
  await until(async () => (await fixture.link(route)).clickCount === 1);
  // The paused process receives messages, but cannot handle or acknowledge them.
  child.kill('SIGSTOP');
  await publish(40);
  child.kill('SIGKILL');
  await fixture.child('stats');
  const readyAt = performance.now();
  await until(async () => (await fixture.link(route)).clickCount === 41);
  expect(performance.now() - readyAt).toBeLessThan(allowedMs(5_000));
});
