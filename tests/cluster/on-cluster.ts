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
 * Declares tests of the release in the cluster. They start when all pods of the release are ready, and are skipped if
 * KUBECONFIG is not set.
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
    // Declared last, so that it runs after the tests' own hooks: Jest runs hooks in the order of their declaration.
    afterAll(async () => {
      await on.stack?.stop();
      on.cluster?.close();
    });
  });
}
