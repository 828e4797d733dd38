import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { simulatedHitRate } from './cache-hits.js';
import { measuredCosts, type Costs } from './costs.js';
import { planOf, type Demand, type Plan } from './model.js';

/** Unit of the sizes of databases and streams. */
const GB = 1e9;
/** Unit of memory, as in docs/operations/sizing.md. */
const MB = 2 ** 20;

/** Options with their defaults. */
const options = {
  'redirects-per-second': '1000',
  'creations-per-second': '1',
  links: '1e6',
  exponent: '1',
  'cache-entries': '100000',
  utilization: '0.7',
  'shard-cores': '8',
  'shard-gb': '2000',
  'statistics-days': '365',
  'stream-days': '3',
  visits: '1e6',
} as const;

const declared = Object.entries(options).map(([name, preset]) => [name, { type: 'string', default: preset }] as const);
const values = parseArgs({ options: { ...Object.fromEntries(declared), costs: { type: 'string' } } }).values as Record<
  string,
  string | undefined
>;

function number(name: keyof typeof options): number {
  const value = Number(values[name]);
  if (value > 0 && Number.isFinite(value)) return value;
  process.stderr.write(`--${name} must be a number above 0.\n`);
  process.exit(2);
}

const demand: Demand = {
  redirectsPerSecond: number('redirects-per-second'),
  creationsPerSecond: number('creations-per-second'),
  links: number('links'),
  exponent: number('exponent'),
  cacheEntries: number('cache-entries'),
  utilization: number('utilization'),
  shardCores: number('shard-cores'),
  shardBytes: number('shard-gb') * GB,
  statisticsDays: number('statistics-days'),
  streamDays: number('stream-days'),
};
const visits = number('visits');
const costs: Costs = values['costs']
  ? { ...measuredCosts, ...(JSON.parse(await readFile(values['costs'], 'utf8')) as Partial<Costs>) }
  : measuredCosts;

const rowsOf = (plan: Plan): [string, string][] => [
  ['redirect replicas (one core each)', String(plan.redirectReplicas)],
  ['cache hit rate', `${(plan.cacheHitRate * 100).toFixed(1)}%`],
  ['memory per redirect replica', `${Math.round(plan.redirectMemory / MB)} MB`],
  ['stats replicas (one core each)', String(plan.statsReplicas)],
  ['memory per stats replica', `${Math.round(plan.statsMemory / MB)} MB`],
  ['cores for creations, all processes', plan.creationCores.toFixed(1)],
  ['click partitions', String(plan.partitions)],
  ['database shards', String(plan.shards)],
  ['cores of the database primaries, without link creation', plan.databaseCores.toFixed(1)],
  ['database size, without indexes and replicas', `${(plan.databaseBytes / GB).toFixed(1)} GB`],
  ['click stream size, without replicas', `${(plan.streamBytes / GB).toFixed(1)} GB`],
];

const plan = await planOf(demand, costs, (perSecond) => simulatedHitRate({ ...demand, perSecond, visits }));
const rows = rowsOf(plan);
const width = Math.max(...rows.map(([label]) => label.length));
process.stdout.write(`${rows.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join('\n')}\n`);
