import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { labelValues, metricsOf, renderCatalogue, type Metric } from './catalogue.js';
import { folder } from './files.js';
import { parseExposition } from './exposition.js';
import { withServices } from './services.js';

const spillDir = await mkdtemp(join(tmpdir(), 'tautan-metrics-'));
let metrics: Metric[];
let rendered: string;
const shown = new Map<string, ReturnType<typeof parseExposition>>();

beforeAll(async () => {
  await withServices(spillDir, async (services) => {
    metrics = metricsOf(services);
    rendered = await renderCatalogue(services);
    for (const { service, admin } of services)
      shown.set(service, parseExposition(await (await fetch(`${admin}/metrics`)).text()));
  });
}, 60_000);
afterAll(() => rm(spillDir, { recursive: true, force: true }));

test('metrics.md is fresh: npm run metrics writes it', async () => {
  expect(await readFile(join(folder, 'metrics.md'), 'utf8')).toBe(rendered);
});

test('the catalogue has what the services show, and nothing else', () => {
  for (const [service, families] of shown) {
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

test('every label has a closed set of values', () => {
  const undocumented = metrics.flatMap(({ name, labels }) =>
    labels.filter((label) => !labelValues[label]).map((label) => `${label} of ${name}`),
  );
  expect(undocumented).toEqual([]);
});

test('names follow the conventions of Prometheus', () => {
  for (const { name, type, help } of metrics) {
    // Those of prom-client are as other programs on Node.js have them.
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
