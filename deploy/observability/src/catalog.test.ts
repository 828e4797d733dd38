import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { labelValues, metricsOf, type Metric } from './catalog.js';
import { dashboards } from './dashboards.js';
import { parseExposition } from './exposition.js';
import { root } from './files.js';
import { generatedFiles } from './generated.js';
import { groups } from './rules.js';
import { withServices } from './services.js';

const spillDir = await mkdtemp(join(tmpdir(), 'tautan-metrics-'));
let metrics: Metric[];
let files: Map<string, string>;
const exported = new Map<string, ReturnType<typeof parseExposition>>();

beforeAll(async () => {
  await withServices(spillDir, async (services) => {
    metrics = metricsOf(services);
    files = await generatedFiles(services);
    for (const { service, admin } of services)
      exported.set(service, parseExposition(await (await fetch(`${admin}/metrics`)).text()));
  });
}, 180_000);
afterAll(() => rm(spillDir, { recursive: true, force: true }));

test('generated files are up to date (npm run metrics)', async () => {
  for (const [path, text] of files) expect([path, await readFile(path, 'utf8')]).toEqual([path, text]);
});

test('the catalog contains exactly the metrics that the services export', () => {
  for (const [service, families] of exported) {
    const declared = metrics.filter(({ services }) => services.includes(service));
    const expected = declared.map(({ name, type, help }) => ({ name, type, help }));
    const found = families.map(({ name, type, help }) => ({ name, type, help }));
    expect(found.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(expected);
    for (const { name, labels } of families) {
      const known = new Set([...declared.find((metric) => metric.name === name)!.labels, 'service', 'le']);
      expect([name, labels.filter((label) => !known.has(label))]).toEqual([name, []]);
    }
  }
});

test('the catalog describes the values of every label', () => {
  const undocumented = metrics.flatMap(({ name, labels }) =>
    labels.filter((label) => !labelValues[label]).map((label) => `${label} of ${name}`),
  );
  expect(undocumented).toEqual([]);
});

test('names follow Prometheus conventions', () => {
  for (const { name, type, help } of metrics) {
    // prom-client defines these names for all Node.js programs.
    if (!name.startsWith('tautan_')) {
      expect(name).toMatch(/^(process|nodejs)_/);
      continue;
    }
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
    expect(name).not.toMatch(/_(ms|millis|milliseconds|minutes|hours|kb|mb|percent)(_|$)/);
    expect(help).toMatch(/^[A-Z].*[^.]$/);
  }
});

/** Returns the metrics in a PromQL expression, and the labels in its matchers and `by` clauses. */
function used(expr: string): { names: string[]; labels: string[] } {
  const names = [...expr.matchAll(/\b(?:tautan|process|nodejs)[_:][\w:]+/g)].map(([name]) => name);
  const matchers = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner]) => [...inner!.matchAll(/(\w+)\s*[=!]~?/g)]);
  const groupings = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inner]) => inner!.split(', '));
  return { names, labels: [...matchers.map(([, label]) => label!), ...groupings] };
}

test('the catalog contains every metric and label in rules and dashboards', () => {
  const rules = groups.flatMap((group) => group.rules);
  const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
  const byName = new Map(metrics.map((metric) => [metric.name, metric]));
  const panels = dashboards.flatMap((dashboard) => dashboard.panels);
  const queries = panels.flatMap((panel) => Object.entries(panel.queries));
  const legends = queries.map(
    ([legend, expr]) =>
      [`${legend}: ${expr}`, [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)] as const,
  );
  for (const expr of [...rules.map((rule) => rule.expr), ...queries.map(([, each]) => each)]) {
    const { names, labels } = used(expr);
    expect([expr, names.length > 0]).toEqual([expr, true]);
    const found = names.map((name) => byName.get(name) ?? byName.get(name.replace(/_(bucket|sum|count)$/, '')));
    const unknown = names.filter((name, i) => !found[i] && !recorded.has(name));
    expect([expr, unknown]).toEqual([expr, []]);
    const known = new Set(['service', 'le', ...found.flatMap((metric) => metric?.labels ?? [])]);
    expect([expr, labels.filter((label) => !known.has(label))]).toEqual([expr, []]);
  }
  for (const [query, labels] of legends)
    expect([query, labels.filter((label) => !used(query).labels.includes(label!))]).toEqual([query, []]);
});

test('every alert has a runbook with impact, diagnosis and resolution, including commands', async () => {
  for (const { alert, annotations } of groups.flatMap((group) => group.rules)) {
    if (!alert) continue;
    const text = await readFile(join(root, annotations!['runbook']!), 'utf8');
    expect(text).toMatch(new RegExp(`^# ${alert}\n`));
    for (const part of ['## Impact', '## Diagnosis', '## Resolution', '```sh'])
      expect([alert, text.includes(part)]).toEqual([alert, true]);
  }
});
