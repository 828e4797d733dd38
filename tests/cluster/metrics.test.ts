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

/** Gauge names of prom-client, which are the same for all Node.js programs. */
const usual = /^nodejs_active_(handles|requests|resources)_total non-counter metrics should not have "_total" suffix$/;

/** Checks metrics with promtool and returns its warnings. */
async function complaints(metrics: string): Promise<string[]> {
  const promtool = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [promtool.stdout, promtool.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  promtool.stdin.end(metrics);
  const [code] = (await once(promtool, 'close')) as [number];
  const lines = output.split('\n').filter((line) => line !== '' && !usual.test(line));
  // Exit code 3 means that the metrics are valid but the linter has suggestions.
  return code === 0 || code === 3 ? lines : [`exit code ${code}`, ...lines];
}

/** Present only if payments are configured, which the trial does not do. */
const ofPayments = /^tautan_payment_provider_/;

describeOnCluster('metrics of the pods', (on) => {
  /** Metrics by workload and pod. */
  const shown = new Map<string, string>();

  beforeAll(async () => {
    for (const pod of await on.cluster.allPods())
      shown.set(`${componentOf(pod)} ${pod.metadata.name}`, await on.cluster.metrics(pod));
  });

  test('of every workload pass promtool', async () => {
    const found = await Promise.all([...shown].map(async ([name, text]) => [name, await complaints(text)] as const));
    expect(found.filter(([, lines]) => lines.length > 0)).toEqual([]);
    const workloads = new Set([...shown.keys()].map((name) => name.split(' ')[0]!));
    expect([...workloads].sort()).toEqual((await on.cluster.workloads()).sort());
  });

  test('include every metric that dashboards and rules query', () => {
    const declared = new Set(
      [...shown.values()]
        .flatMap((text) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)])
        .flatMap(([, name, type]) =>
          type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name! + suffix) : [name!],
        ),
    );
    const used = usedMetrics();
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((name) => !declared.has(name) && !ofPayments.test(name))).toEqual([]);
  });
});
