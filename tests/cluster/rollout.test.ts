import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chart } from '../chart/chart-files.js';
import { helm, release, type Pod } from './cluster.js';
import { describeOnCluster } from './on-cluster.js';
import { duringTraffic, expectNoFailure } from './during-traffic.js';

/** Another tag of the image that is already deployed, set by `.ci/images`. */
const NEXT_TAG = 'next';

describeOnCluster('a new version of chart and images', (on) => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tautan-chart-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Returns the names, uids and restart counts of the pods of the servers that `trial.enabled` installs. */
  const trialServers = async (): Promise<string[]> =>
    (await on.cluster.list<Pod>('pods', 'app.kubernetes.io/component in (mongodb,nats,valkey,keycloak)'))
      .map(({ metadata, status }) => `${metadata.name} ${metadata.uid} ${status.containerStatuses![0]!.restartCount}`)
      .sort();
  const tags = async (): Promise<string[]> => {
    const images = (await on.cluster.allPods()).map(({ spec }) => spec.containers[0]!.image);
    return [...new Set(images.map((image) => image.split(':').at(-1)!))];
  };

  test('is rolled out and rolled back without a failed request, a lost click or a restarted server of the trial', async () => {
    await helm('package', chart, '--version', '99.0.0', '--app-version', NEXT_TAG, '--destination', folder);
    const [archive] = await readdir(folder);
    const [before, tagsBefore] = [await trialServers(), await tags()];
    const outcome = await duringTraffic(on.stack, 'rollout', async () => {
      const began = Date.now();
      await helm(
        'upgrade',
        release,
        join(folder, archive!),
        '--reuse-values',
        '--set',
        `image.tag=${NEXT_TAG}`,
        '--wait',
        '--timeout',
        '5m',
      );
      await on.cluster.settled();
      expect(await tags()).toEqual([NEXT_TAG]);
      const upgraded = Date.now();
      // --force-conflicts takes ownership of Secret fields that another client has changed.
      await helm('rollback', release, '--wait', '--force-conflicts', '--timeout', '5m');
      await on.cluster.settled();
      expect(await tags()).toEqual(tagsBefore);
      process.stdout.write(`cluster: upgraded in ${upgraded - began} ms, rolled back in ${Date.now() - upgraded} ms\n`);
    });
    expectNoFailure(outcome);
    expect(await trialServers()).toEqual(before);
  }, 900_000);
});
