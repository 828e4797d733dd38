import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { randomFrom, seed } from '../chaos/random.js';
import { describeOnCluster } from './on-cluster.js';
import { duringTraffic } from './during-traffic.js';

const SECONDS = Number(process.env['CLUSTER_SECONDS'] ?? 120);
const BETWEEN_MS = 2_000;
const MAX_API_ERROR_RATE = 0.001;

describeOnCluster('deleting random pods', (on) => {
  test(
    `for ${SECONDS} s causes no failed redirect and few failed API calls, and loses nothing that was acknowledged`,
    async () => {
      const random = randomFrom(seed);
      const deleted: string[] = [];
      const outcome = await duringTraffic(on.stack, 'deletions', async () => {
        for (const until = Date.now() + SECONDS * 1_000; Date.now() < until; await sleep(BETWEEN_MS)) {
          // Workloads whose pods are all ready, so that other pods of the workload can take over from the deleted one.
          const settled = await on.cluster.settledWorkloads();
          if (settled.length === 0) continue;
          const component = settled[random(settled.length)]!;
          const pods = await on.cluster.podsOf(component);
          await on.cluster.delete('pods', pods[random(pods.length)]!.metadata.name);
          deleted.push(component);
        }
        await on.cluster.settled();
      });
      const { writes, failedVisits, failedWrites } = outcome;
      process.stdout.write(`cluster: CHAOS_SEED=${seed}, deleted ${deleted.length} pods: ${deleted.join(' ')}\n`);
      expect(deleted.length).toBeGreaterThan(SECONDS / 20);
      expect(failedVisits).toEqual([]);
      for (const { text } of failedWrites) {
        const { error } = JSON.parse(text) as { error: { code: string } };
        expect(error.code).toMatch(/^(SERVICE_UNAVAILABLE|TIMEOUT|IDEMPOTENCY_IN_PROGRESS)$/);
      }
      expect(failedWrites.length / writes).toBeLessThan(MAX_API_ERROR_RATE);
    },
    SECONDS * 1_000 + 400_000,
  );
});
