import { KeyedBatcher, KeyedMutex, startInterval, runProcess, type Running } from '@tautan/kit';
import { plansOf } from '@tautan/plans';
import { watchUsage } from '@tautan/plans/usage';
import { usageTable as operatorUsageTable } from '@tautan/plans/operator';
import { DeadLetters } from '@tautan/kit/mongo';
import { deadLetterTable } from '@tautan/kit/operator';
import { rpcClient, type RpcTable } from '@tautan/kit/rpc';
import { maintenanceCommand, startService, type ServiceContext } from '@tautan/kit/service';
import { rpcServices } from '@tautan/proto/rpc';
import { readQrConfig, type Config } from './config.js';
import { startConsumers } from './consumers.js';
import { Renderer } from './image/renderer.js';
import { scannableCheck } from './image/scannable.js';
import { countDeletedLogos } from './metrics.js';
import { Routes } from './routes.js';
import { codeTable } from './rpc/codes.js';
import { imageTable } from './rpc/images.js';
import { usageTable } from './rpc/usage.js';
import { DownloadTokenStore } from './store/download-tokens.js';
import { createStore } from './store/index.js';
import { LogoStore } from './store/logos.js';
import { createModels, type Models } from './store/models.js';
import { createCounters } from './store/usage.js';
import { commitCreations } from './steps/commit-change.js';
import type { Deps } from './usecase-deps.js';
import type { ImageDeps } from './image-deps.js';
import { insertCodes, isItemError } from './steps/insert-codes.js';
import { sweepLinkSnapshots } from './usecases/sweep-link-snapshots.js';
import { sweepLogos } from './usecases/sweep-logos.js';
import { UnclaimedWatch } from './steps/unclaimed-watch.js';
import { sweepExpired } from './usecases/sweep-expired.js';
import { sweepUnfinished } from './usecases/sweep-unfinished.js';

/** Maximum number of QR codes that one transaction creates. */
const MAX_BATCH = 25;
/** Minimum interval between sweeps while there are no unfinished QR codes, milliseconds. */
const IDLE_SWEEP_MS = 5_000;

/** Starts the service with the given clock. Rejects, with nothing left running, if a port is in use. */
export const start = (config: Config, now = (): Date => new Date()): Promise<Running> =>
  startService({ name: 'qr', config, createModels }, (context) => wire(config, context, now));

function wire(config: Config, context: ServiceContext<Models>, now: () => Date): RpcTable[] {
  const deps = codeDeps(config, context, now);
  startBackgroundJobs(config, context, deps);
  return [codeTable(deps), imageTable(imageDeps(config, context, deps)), usageTable(deps)];
}

function codeDeps(
  config: Config,
  { log, registry, stack, models, outbox: { transact }, certificates }: ServiceContext<Models>,
  now: () => Date,
): Deps {
  const links = rpcClient(rpcServices.qrRoutes, {
    address: config.LINKS_ADDRESS,
    certificates,
    meter: { registry, peer: 'links' },
  });
  stack.add('links', links, async () => links.close());
  const usageMutex = new KeyedMutex();
  const base = {
    store: createStore(models),
    logos: new LogoStore(models),
    plans: plansOf(config),
    counters: createCounters(models),
    transact,
    baseUrl: config.BASE_URL,
    now,
  };
  return {
    ...base,
    routes: new Routes(links),
    codeMutex: new KeyedMutex(),
    usageMutex,
    insertions: new KeyedBatcher({
      mutex: usageMutex,
      keyOf: ({ code }) => code.workspaceId,
      groupOf: ({ plan }) => plan,
      maxItems: MAX_BATCH,
      apply: (items) => insertCodes(base, items),
      isItemError,
    }),
    creations: new KeyedBatcher({
      mutex: new KeyedMutex(),
      keyOf: ({ code }) => code.workspaceId,
      maxItems: MAX_BATCH,
      apply: (items) => commitCreations(base, items),
    }),
    checkScannable: scannableCheck(config.BASE_URL),
    leaseMs: config.LEASE_MS,
    abandonedMs: config.ABANDONED_MS,
    log,
  };
}

const imageDeps = (
  config: Config,
  { models }: ServiceContext<Models>,
  { store, logos, plans, transact, checkScannable, now }: Deps,
): ImageDeps => ({
  store,
  logos,
  plans,
  transact,
  uploadMutex: new KeyedMutex(),
  checkScannable,
  now,
  downloadTokens: new DownloadTokenStore(models.downloadTokens),
  renderer: new Renderer(config.IMAGE_CACHE_MIB * 1024 * 1024),
  baseUrl: config.BASE_URL,
  tokenHours: config.DOWNLOAD_TOKEN_HOURS,
  maxLogos: config.MAX_LOGOS,
  unusedLogoDays: config.UNUSED_LOGO_DAYS,
});

/** Starts the background jobs and the event consumers. */
function startBackgroundJobs(config: Config, context: ServiceContext<Models>, deps: Deps): void {
  const {
    log,
    registry,
    stack,
    bus,
    mongo: { ready },
    models,
  } = context;
  const expiry = startInterval(() => sweepExpired(deps), {
    name: 'expiry',
    everyMs: config.EXPIRY_SWEEP_MS,
    ready,
    log,
  });
  stack.add('expiry', expiry, () => expiry.stop());
  const watch = new UnclaimedWatch(deps);
  const sweep = startInterval(() => sweepUnfinished({ ...deps, watch }), {
    name: 'sweep',
    everyMs: config.SWEEP_MS,
    idleMs: Math.max(config.SWEEP_MS, IDLE_SWEEP_MS),
    ready,
    log,
  });
  stack.add('sweep', sweep, () => sweep.stop());
  let nextLinkSweep = 0;
  /** Sweeps every `FOLLOW_SWEEP_MS`; a failed sweep is repeated after `SWEEP_MS`. */
  const sweepLinks = async (): Promise<void> => {
    if (performance.now() < nextLinkSweep) return;
    await sweepLinkSnapshots(deps);
    nextLinkSweep = performance.now() + config.FOLLOW_SWEEP_MS;
  };
  const links = startInterval(sweepLinks, { name: 'link sweep', everyMs: config.SWEEP_MS, ready, log });
  stack.add('link sweep', links, () => links.stop());
  const logoDeps = { ...deps, unusedLogoDays: config.UNUSED_LOGO_DAYS, countDeleted: countDeletedLogos(registry) };
  const logos = startInterval(() => sweepLogos(logoDeps), {
    name: 'logo sweep',
    everyMs: config.LOGO_SWEEP_MS,
    ready,
    log,
  });
  stack.add('logo sweep', logos, () => logos.stop());
  const usage = watchUsage(deps.counters, { everyMs: config.USAGE_CHECK_MS, registry, ready, log, now: deps.now });
  stack.add('usage check', usage, () => usage.stop());
  const deadLetters = new DeadLetters(models.deadLetters);
  const consumers = startConsumers({ ...deps, bus, deadLetters });
  stack.add('consumers', consumers, () => consumers.stop());
  context.operators.push(deadLetterTable(deadLetters), operatorUsageTable(deps.counters, deps.now));
}

if (import.meta.filename === process.argv[1]) {
  const code = await maintenanceCommand(process.argv.slice(2), { name: 'qr', createModels });
  if (code !== undefined) process.exit(code);
  await runProcess('qr', () => start(readQrConfig()));
}
