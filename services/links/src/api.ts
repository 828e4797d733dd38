import { setFlagsFromString } from 'node:v8';
import { databaseGauge, runningCallsMs, startInterval, Stack } from '@tautan/kit';
import { explainMongo } from '@tautan/kit/mongo';
import { openCertificates, serveRpc } from '@tautan/kit/rpc';
import { watchUsage } from '@tautan/plans/usage';
import { usageTable } from '@tautan/plans/operator';
import { invalidations } from '@tautan/proto';
import { createDeps } from './deps.js';
import type { ApiDeps } from './usecase-deps.js';
import type { RoleDeps, RunningRole } from './roles.js';
import { rpcTables } from './rpc.js';
import { recheckDomains } from './domains/usecases/recheck-domains.js';
import { sweepLinks } from './links/usecases/sweep-links.js';

/** Starts the api role: the RPC server, the usage check, the sweep, and the checks of custom domains. */
export async function startApi(role: RoleDeps): Promise<RunningRole & { port: number }> {
  const { config, models, mongo, bus, log, registry } = role;
  // By default, V8 allocates objects directly in the old generation if earlier ones survived, and lets the heap grow
  // fourfold between two garbage collections. With these defaults, an export of 100,000 links grew the process by up to
  // 120 MB of garbage instead of 30 MB. The flags cost no CPU time that the benchmarks can measure.
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--heap-growing-percent=100');
  const deps = createDeps({
    config,
    models,
    connection: mongo.connection,
    transact: role.outbox!.transact,
    invalidate: (keys) => void bus.notify(invalidations.redirect, { keys }),
    log,
  });
  meterDomains(role, deps);
  const stack = new Stack(log);
  const check = { registry, everyMs: config.USAGE_CHECK_MS, ready: mongo.ready, log, now: deps.now };
  stack.add('usage check', watchUsage(deps.usage, check), (it) => it.stop());
  stack.add(
    'sweep',
    startInterval(() => sweepLinks(deps), { name: 'sweep', everyMs: config.EXPIRY_SWEEP_MS, ready: mongo.ready, log }),
    (it) => it.stop(),
  );
  // Runs separately from the sweep, so that slow DNS never delays link expiry.
  const ending = new AbortController();
  const checks = { name: 'domain checks', everyMs: config.EXPIRY_SWEEP_MS, ready: mongo.ready, log };
  stack.add(
    'domain checks',
    startInterval(() => recheckDomains({ ...deps, signal: ending.signal }), checks),
    (it) => {
      ending.abort();
      return it.stop();
    },
  );
  const certificates = openCertificates(config, { log, registry });
  stack.add('certificates', certificates, async () => certificates?.stop());
  const server = await serveRpc({
    port: config.RPC_PORT,
    host: config.BIND_HOST,
    tables: rpcTables(deps),
    log,
    registry,
    explain: explainMongo,
    ready: mongo.ready,
    tls: certificates && { certificates, acceptedNames: config.RPC_ACCEPTED_NAMES },
  });
  stack.add('rpc', server, (it) => it.stop(runningCallsMs(config)));
  const operators = [usageTable(deps.usage, deps.now)];
  return { port: server.port, ready: mongo.ready, operators, stop: () => stack.stop() };
}

/**
 * Exports the number of verified custom domains whose DNS records are wrong, and the longest time that they have been
 * wrong. Such a domain stops serving after seven days.
 */
function meterDomains({ registry, mongo: { ready } }: RoleDeps, { store: { domains }, now }: ApiDeps): void {
  const count = {
    name: 'tautan_custom_domains_failing',
    help: 'Verified custom domains whose DNS records are wrong',
    ready,
  };
  databaseGauge(registry, count, async () => (await domains.failingSince()).length);
  const age = {
    name: 'tautan_custom_domain_failing_age_seconds',
    help: 'Longest time that the DNS records of a custom domain have been wrong; it stops serving after 7 days',
    ready,
  };
  databaseGauge(registry, age, async () => {
    const since = await domains.failingSince();
    return Math.max(0, ...since.map((each) => now().getTime() - each.getTime())) / 1_000;
  });
}
