import { describe } from '@jest/globals';

/** Declares tests of a cluster, which are skipped unless KUBECONFIG names one. */
export function describeOnCluster(name: string, tests: () => void): void {
  if (process.env['KUBECONFIG']) describe(name, tests);
  else describe.skip(name, tests);
}
