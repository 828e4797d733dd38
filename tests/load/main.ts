import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench, root } from './bench.js';
import { cacheMemory } from './benchmarks/cache-memory.js';
import { commands } from './benchmarks/commands.js';
import { capacity } from './benchmarks/capacity.js';
import { create } from './benchmarks/create.js';
import { engine } from './benchmarks/engine.js';
import { gateway } from './benchmarks/gateway.js';
import { importExport } from './benchmarks/import-export.js';
import { nginx } from './benchmarks/nginx.js';
import { planLimits } from './benchmarks/plan-limits.js';
import { processes } from './benchmarks/processes.js';
import { redirects } from './benchmarks/redirects.js';
import { referrers } from './benchmarks/referrers.js';
import { scale } from './benchmarks/scale.js';
import { stack } from './benchmarks/stack.js';
import { stats } from './benchmarks/stats.js';
import { statsYear } from './benchmarks/stats-year.js';
import { web } from './benchmarks/web.js';
import { webhooks } from './benchmarks/webhooks.js';
import { workspaces } from './benchmarks/workspaces.js';
import { evaluate, table, type Figure, type EvaluatedFigure } from './figure.js';
import { topPackages } from './profiles.js';

/** Every benchmark, in the order in which they run. */
const benchmarks: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  redirects,
  nginx,
  'cache-memory': cacheMemory,
  commands,
  capacity,
  create,
  workspaces,
  'plan-limits': planLimits,
  gateway,
  'import-export': importExport,
  scale,
  stats,
  'stats-year': statsYear,
  referrers,
  engine,
  stack,
  webhooks,
  processes,
  web,
};

const { positionals: names, values } = parseArgs({ options: { profile: { type: 'boolean' } }, allowPositionals: true });
const unknown = names.filter((name) => !(name in benchmarks));
if (unknown.length) {
  process.stderr.write(
    `Unknown benchmark: ${unknown.join(', ')}. Available benchmarks: ${Object.keys(benchmarks).join(', ')}.\n`,
  );
  process.exit(2);
}

const profiles = values.profile ? await mkdtemp(join(tmpdir(), 'tautan-profiles-')) : undefined;
const bench = new Bench(Boolean(process.env['BENCH_QUICK']), profiles);
process.once('exit', () => bench.killAll());
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void bench.end().finally(() => process.exit(1)));
}

const figures: EvaluatedFigure[] = [];
const failures: string[] = [];
for (const [name, run] of Object.entries(benchmarks)) {
  if (names.length && !names.includes(name)) continue;
  process.stderr.write(`${name}\n`);
  try {
    figures.push(...(await run(bench)).map((figure) => evaluate(name, figure)));
  } catch (error) {
    failures.push(`${name}: ${(error as Error).stack}`);
  } finally {
    await bench.end();
  }
}

process.stdout.write(`\n${table(figures)}\n`);
for (const failure of failures) process.stdout.write(`\nNot measured: ${failure}\n`);
if (profiles) process.stdout.write(`\nSelf time by package:\n\n${await topPackages(profiles, root)}`);
const { BENCH_JSON } = process.env;
if (BENCH_JSON) await writeFile(BENCH_JSON, `${JSON.stringify({ figures, failures }, null, 2)}\n`);
process.exitCode = failures.length || figures.some(({ passed }) => passed === false) ? 1 : 0;
