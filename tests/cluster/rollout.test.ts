import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Stack } from '../support/stack.js';
import { chart } from '../chart/chart-files.js';
import { Cluster, helm, release, type Pod } from './cluster.js';
import { openClusterStack } from './cluster-stack.js';
import { describeOnCluster } from './on-cluster.js';
import { duringTraffic, expectNoFailure } from './promises.js';

/** The tag under which `.ci/images` has the same image a second time. */
const NEXT_TAG = 'next';

describeOnCluster('a new version of everything', () => {
  let cluster: Cluster;
  let stack: Stack;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tautan-chart-'));
    cluster = await Cluster.open();
    await cluster.settled();
    stack = await openClusterStack(cluster);
  }, 200_000);
  afterAll(async () => {
    await stack?.stop();
    cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What identifies the pods of the trial's databases, with their restarts. */
  const databases = async (): Promise<string[]> =>
    (await cluster.list<Pod>('pods', 'app.kubernetes.io/component in (mongodb,nats,valkey,keycloak)'))
      .map(({ metadata, status }) => `${metadata.name} ${metadata.uid} ${status.containerStatuses![0]!.restartCount}`)
      .sort();
  const tags = async (): Promise<string[]> => {
    const images = (await cluster.allPods()).map(({ spec }) => spec.containers[0]!.image);
    return [...new Set(images.map((image) => image.split(':').at(-1)!))];
  };

  test('is rolled out and back without a failed request, a lost click or a restarted database', async () => {
    await helm('package', chart, '--version', '99.0.0', '--app-version', NEXT_TAG, '--destination', folder);
    const [archive] = await readdir(folder);
    const [before, tagsBefore] = [await databases(), await tags()];
    const outcome = await duringTraffic(stack, 'rollout', async () => {
      const began = Date.now();
      await helm('upgrade', release, join(folder, archive!), '--reuse-values', '--set', `image.tag=${NEXT_TAG}`, '--wait', '--timeout', '5m'); // prettier-ignore
      await cluster.settled();
      expect(await tags()).toEqual([NEXT_TAG]);
      const upgraded = Date.now();
      // Certificates that somebody else replaced are Helm's again.
      await helm('rollback', release, '--wait', '--force-conflicts', '--timeout', '5m');
      await cluster.settled();
      expect(await tags()).toEqual(tagsBefore);
      process.stdout.write(`cluster: upgraded in ${upgraded - began} ms, rolled back in ${Date.now() - upgraded} ms\n`);
    });
    expectNoFailure(outcome);
    expect(await databases()).toEqual(before);
  }, 900_000);
});
