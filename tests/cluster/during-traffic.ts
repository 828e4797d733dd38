import { expect } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { expectReadable } from '../chaos/traffic-verifier.js';
import { Traffic, type Rates } from '../chaos/traffic.js';
import { apiClient } from '../support/client.js';
import type { Stack } from '../support/stack.js';

/** About 50 redirects and 10 writes per second: 4 creations, and the edits of another client. */
export const rates: Rates = { visitsPerSecond: 50, createsPerSecond: 4 };

/** Clicks are counted within this time, even those that a stopped pod did not count: another pod receives them. */
const COUNTED_WITHIN_MS = 60_000;

/** What clients observed during a change in the cluster. */
export interface Outcome {
  visits: number;
  writes: number;
  /** Visits without a redirect. Their `status` is that of the response; undefined if the connection broke. */
  failedVisits: object[];
  /** Attempts at a write that the API did not acknowledge. Their `status` is 0 if the connection broke. */
  failedWrites: { status: number; text: string }[];
}

/**
 * Runs `change` while clients follow links and write to the API. Throws unless every acknowledged write is readable
 * afterwards, and every redirect is counted once.
 */
export async function duringTraffic(stack: Stack, name: string, change: () => Promise<void>): Promise<Outcome> {
  const traffic = await Traffic.begin(() => stack, name, rates);
  const written = traffic.writesEnd();
  try {
    await Promise.race([change(), written]);
  } finally {
    traffic.stop();
    await Promise.allSettled([traffic.visitsEnd(), written]);
  }
  await written;
  const clicks = new Map(traffic.hot.map(({ id }) => [id, traffic.redirects(id).length]));
  await eventually(() => expectReadable(apiClient(stack), traffic, clicks), COUNTED_WITHIN_MS, 1_000);
  const failedVisits = traffic.visits.filter(({ status }) => status !== 302);
  const outcome = {
    visits: traffic.visits.length,
    writes: traffic.created.length + traffic.edits.length,
    failedVisits,
    failedWrites: traffic.failures,
  };
  const slowest = Math.max(...traffic.visits.map(({ sentAt, endedAt }) => endedAt - sentAt));
  process.stdout.write(
    `cluster: ${name}: ${outcome.visits} visits (slowest ${slowest} ms), ${failedVisits.length} failed; ` +
      `${outcome.writes} writes, ${traffic.failures.length} failed attempts; every acknowledged write is present\n`,
  );
  return outcome;
}

/** Throws unless every redirect and write succeeded on the first attempt. */
export function expectNoFailure({ failedVisits, failedWrites }: Outcome): void {
  expect({ failedVisits: failedVisits.slice(0, 5), failedWrites: failedWrites.slice(0, 5) }).toEqual({
    failedVisits: [],
    failedWrites: [],
  });
}
