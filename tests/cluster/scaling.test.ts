import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiLink, type Client } from '../support/client.js';
import { visit } from '../support/visitor.js';
import { release, sumOf, type Pod } from './cluster.js';
import { describeOnCluster } from './on-cluster.js';

/** The metric that counts the calls that a pod serves, by workload. */
const counters: Record<string, string> = {
  links: 'tautan_rpc_server_duration_seconds_count',
  gateway: 'tautan_http_request_duration_seconds_count',
  redirect: 'tautan_redirects_total',
};
const DEADLINE_MS = 60_000;
const WINDOW_MS = 5_000;
const MIN_SHARE = 0.15;
const PAUSE_MS = 25;

describeOnCluster('a workload that is scaled from 2 to 4 pods', (on) => {
  let api: Client;
  let link: ApiLink;
  let calling = true;
  let traffic: Promise<void>;

  beforeAll(async () => {
    api = apiClient(on.stack);
    link = await aLink(api);
    traffic = call();
    traffic.catch(() => undefined);
  });
  afterAll(async () => {
    calling = false;
    await traffic;
    for (const name of Object.keys(counters)) await scale(name, 2);
    await on.cluster.settled();
  }, 200_000);

  /** Makes up to 40 API calls and 40 visits to a short link per second. Throws if one fails. */
  async function call(): Promise<void> {
    for (; calling; await sleep(PAUSE_MS)) {
      const [{ status: read }, { status: visited }] = await Promise.all([
        api.get(`/links/${link.id}`),
        visit(on.stack.baseUrl, `/${link.slug}`),
      ]);
      if (read !== 200 || visited !== 302)
        throw new Error(`the API responded with ${read}, and the short link with ${visited}`);
    }
  }
  const scale = (name: string, replicas: number): Promise<void> =>
    on.cluster.patch('deployments', `${release}-${name}`, { spec: { replicas } });

  /** Returns each pod's share of the calls that the pods serve during the next `WINDOW_MS`. */
  async function shares(pods: Pod[], counter: string): Promise<Map<string, number>> {
    const count = (): Promise<number[]> =>
      Promise.all(pods.map(async (pod) => sumOf(await on.cluster.metrics(pod), counter)));
    const before = await count();
    await sleep(WINDOW_MS);
    const calls = (await count()).map((after, i) => after - before[i]!);
    const total = calls.reduce((sum, each) => sum + each, 0);
    return new Map(pods.map(({ metadata }, i) => [metadata.name, calls[i]! / total]));
  }

  test.each(Object.entries(counters))(
    'each new %s pod serves its share within 60 s, and no call fails',
    async (name, counter) => {
      const known = (await on.cluster.podsOf(name)).map(({ metadata }) => metadata.name);
      const began = Date.now();
      await scale(name, 4);
      const all = await until(async () => {
        const pods = await on.cluster.podsOf(name);
        return pods.length === 4 && pods;
      }, DEADLINE_MS);
      const readyMs = Date.now() - began;
      let last: Map<string, number>;
      await until(
        async () => {
          last = await shares(all, counter);
          return [...last].every(([pod, share]) => known.includes(pod) || share >= MIN_SHARE);
        },
        began + DEADLINE_MS - Date.now(),
      ).catch(() => expect(last).toBe(`at least ${MIN_SHARE} for each new pod`));
      process.stdout.write(
        `cluster: ${name}: ready after ${readyMs} ms, shares ${[...last!.values()].map((share) => share.toFixed(2)).join(' ')} after ${Date.now() - began} ms\n`,
      );
    },
    150_000,
  );
});
