import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { clickSubject } from '@tautan/proto';
import { aClickBatch } from '../testing/clicks.js';
import { startStage, type Stage } from '../testing/redirects.js';

let stage: Stage;
beforeAll(async () => void (stage = await startStage()));
afterAll(() => stage.stop());

test('clicks are counted within 5 s after the statistics process that had received them was killed', async () => {
  const route = await stage.aRoute();
  const { process: child } = await stage.child('stats');
  const publish = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const { batch, partition } = aClickBatch([
        { link: route.linkId, workspace: route.workspaceId, visitor: newUlid(), at: Date.now() },
      ]);
      await stage.bus.publish(clickSubject(partition), JSON.stringify(batch), { id: batch.id });
    }
  };
  await publish(1);
  await until(async () => (await stage.link(route)).clickCount === 1);
  // It receives messages, but cannot handle or acknowledge them.
  child.kill('SIGSTOP');
  await publish(40);
  child.kill('SIGKILL');
  const diedAt = performance.now();
  await stage.child('stats');
  await until(async () => (await stage.link(route)).clickCount === 41, 10_000);
  expect(performance.now() - diedAt).toBeLessThan(5_000);
}, 30_000);
