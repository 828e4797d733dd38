import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { componentOf } from './cluster.js';
import { describeOnCluster } from './on-cluster.js';

const folder = join(import.meta.dirname, '..', '..', '..', 'deploy', 'observability');

/** The names of metrics in the queries of dashboards and rules, without those that rules record. */
function usedMetrics(): string[] {
  const dashboards = readdirSync(join(folder, 'dashboards')).map((name) => join(folder, 'dashboards', name));
  const text = [...dashboards, join(folder, 'prometheus-rules.yaml')]
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const names = [...text.matchAll(/\b(?:tautan|process|nodejs)_\w+/g)].map(([name]) => name);
  return [...new Set(names)].sort();
}

/** Matches the promtool warnings about gauges that prom-client exports for every Node.js process. */
const knownWarning =
  /^nodejs_active_(handles|requests|resources)_total non-counter metrics should not have "_total" suffix$/;

/** Checks metrics with promtool and returns its warnings. */
async function promtoolWarnings(metrics: string): Promise<string[]> {
  const promtool = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [promtool.stdout, promtool.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  promtool.stdin.end(metrics);
  const [code] = (await once(promtool, 'close')) as [number];
  const lines = output.split('\n').filter((line) => line !== '' && !knownWarning.test(line));
  // Exit code 3 means that the metrics are valid but the linter has suggestions.
  return code === 0 || code === 3 ? lines : [`exit code ${code}`, ...lines];
}

/** Matches the metrics that exist only if payments are configured. The release under test (`trial.yaml`) has none. */
const paymentMetric = /^tautan_payment_provider_/;

describeOnCluster('metrics of the pods', (on) => {
  /** Metrics by workload and pod. */
  const metricsByPod = new Map<string, string>();

  beforeAll(async () => {
    for (const pod of await on.cluster.allPods())
      metricsByPod.set(`${componentOf(pod)} ${pod.metadata.name}`, await on.cluster.metrics(pod));
  });

  test('of every workload pass promtool', async () => {
    const found = await Promise.all(
      [...metricsByPod].map(async ([name, text]) => [name, await promtoolWarnings(text)] as const),
    );
    expect(found.filter(([, lines]) => lines.length > 0)).toEqual([]);
    const workloads = new Set([...metricsByPod.keys()].map((name) => name.split(' ')[0]!));
    expect([...workloads].sort()).toEqual((await on.cluster.workloads()).sort());
  });

  test('include every metric that dashboards and rules query', () => {
    const declared = new Set(
      [...metricsByPod.values()]
        .flatMap((text) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)])
        .flatMap(([, name, type]) =>
          type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name! + suffix) : [name!],
        ),
    );
    const used = usedMetrics();
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((name) => !declared.has(name) && !paymentMetric.test(name))).toEqual([]);
  });
});
