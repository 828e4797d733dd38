import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Stack } from '../support/stack.js';
import { Cluster } from './cluster.js';
import { openClusterStack } from './cluster-stack.js';

/** The context of cluster tests. Set before the first test. */
export interface OnCluster {
  cluster: Cluster;
  stack: Stack;
}

/**
 * Declares tests of the release in the cluster, which run once all its pods are ready. Skipped if KUBECONFIG is not
 * set.
 */
export function describeOnCluster(name: string, tests: (on: OnCluster) => void): void {
  if (!process.env['KUBECONFIG']) return describe.skip(name, () => tests({} as OnCluster));
  describe(name, () => {
    const on = {} as OnCluster;
    beforeAll(async () => {
      on.cluster = await Cluster.open();
      await on.cluster.settled();
      on.stack = await openClusterStack(on.cluster);
    }, 200_000);
    tests(on);
    // After the tests' own hooks: Jest runs them in the order of their declaration.
    afterAll(async () => {
      await on.stack?.stop();
      on.cluster?.close();
    });
  });
}
