import { repeat, runProcess, Turns, type Running } from '@tautan/kit';
import { rpcClient, type RpcTable } from '@tautan/kit/rpc';
import { startService, type Ground } from '@tautan/kit/service';
import { rpcServices } from '@tautan/proto';
import { readQrConfig, type Config } from './config.js';
import { startConsumers } from './consumers.js';
import { Renderer } from './image/renderer.js';
import { assertScannable } from './image/scannable.js';
import { repeatable, Routes } from './routes.js';
import { codeTable } from './rpc/codes.js';
import { imageTable } from './rpc/images.js';
import { DownloadTokenStore } from './store/download-tokens.js';
import { createStore, type Store } from './store/index.js';
import { LogoStore } from './store/logos.js';
import { createModels, type Models } from './store/models.js';
import type { Deps } from './usecases/deps.js';
import { checkLogo } from './usecases/find-logo.js';
import type { ImageDeps } from './usecases/image-deps.js';
import { sweepEnded, sweepLeft } from './usecases/sweep.js';

/** Starts the service. Rejects, with nothing left running, when a port is taken. */
export const start = (config: Config): Promise<Running> =>
  startService({ name: 'qr', config, createModels }, (ground) => wire(config, ground));

function wire(config: Config, ground: Ground<Models>): RpcTable[] {
  const { log, stack, models, outbox, tls } = ground;
  const links = rpcClient(rpcServices.qrRoutes, { address: config.LINKS_ADDRESS, tls, idempotent: repeatable });
  stack.add('links', links, async () => links.close());
  const store = createStore(models);
  const images = imageDeps(config, models, store);
  const deps: Deps = {
    store,
    routes: new Routes(links),
    transact: outbox.transact,
    turns: new Turns(),
    checkLogo: (workspaceId, logoRunRef) => checkLogo(images.logos, workspaceId, logoRunRef),
    checkScannable: (style) => assertScannable(style, config.BASE_URL),
    now: () => new Date(),
    leaseMs: config.LEASE_MS,
    abandonedMs: config.ABANDONED_MS,
    log,
  };
  work(config, ground, deps);
  return [codeTable(deps), imageTable(images)];
}

const imageDeps = (config: Config, models: Models, store: Store): ImageDeps => ({
  store,
  logos: new LogoStore(models.logos),
  downloadTokens: new DownloadTokenStore(models.downloadTokens),
  renderer: new Renderer(config.IMAGE_CACHE_MIB * 1024 * 1024),
  baseUrl: config.BASE_URL,
  tokenHours: config.DOWNLOAD_TOKEN_HOURS,
  now: () => new Date(),
});

/** What is done without being asked for: sweeps, and what events call for. */
function work(config: Config, { log, stack, bus, mongo: { ready } }: Ground<Models>, deps: Deps): void {
  const expiry = repeat(() => sweepEnded(deps), { name: 'expiry', everyMs: config.EXPIRY_SWEEP_MS, ready, log });
  stack.add('expiry', expiry, () => expiry.stop());
  const sweep = repeat(() => sweepLeft(deps), { name: 'sweep', everyMs: config.SWEEP_MS, ready, log });
  stack.add('sweep', sweep, () => sweep.stop());
  const consumers = startConsumers({ ...deps, bus });
  stack.add('consumers', consumers, () => consumers.stop());
}

if (import.meta.filename === process.argv[1]) await runProcess('qr', () => start(readQrConfig()));
