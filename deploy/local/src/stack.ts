import { dirname, join } from 'node:path';
import { closeHttp, createLog, createMetrics, faultCode, listen, serveAdmin, sleep, type Log } from '@tautan/kit';
import { serviceNames } from '@tautan/proto/services';
import { lockDataFolder } from './data-folder.js';
import { readDemo, writeDemo, type Demo } from './demo-file.js';
import type { DemoOwner } from './demo-owner.js';
import { createFront } from './front/proxy.js';
import { chooseIdentity, startLocalIdentity } from './identity.js';
import { LogFiles } from './log-files.js';
import { choosePayments, startLocalPayments } from './payments.js';
import { reservePorts } from './ports.js';
import { quickstartContent } from './quickstart-content.js';
import { removeQuickstart, writeQuickstart, type Quickstart } from './quickstart.js';
import { request } from './request.js';
import { assignPorts, environmentOf, INNER_HOST, portCount, processesOf, type Layout, type Replica } from './roles.js';
import type { Settings } from './settings.js';
import { SupervisedProcess } from './supervised-process.js';

/** Time in ms for the whole drain, after which the remaining processes are killed. */
const DRAIN_MS = 8_500;
const FRONT_DRAIN_MS = 2_000;
const POLL_MS = 50;
/** Time in ms for the response to a readiness probe. */
const READY_TIMEOUT_MS = 5_000;
const WRITE_RETRY_MS = 1_000;
/**
 * Returns settings that save memory. Those of the user take precedence. A semi-space of 4 MB instead of 16 MB saves
 * about 7 MB per idle process. With a fixed mmap threshold, glibc returns large blocks to the system when they are
 * freed, which saves 15 MB in total.
 */
const memoryEnvironment = (): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--max-semi-space-size=4 ${process.env['NODE_OPTIONS'] ?? ''}`.trim(),
  MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'] ?? '131072',
});

/** The whole product as one process tree. `start` resolves when it is ready for requests. */
export class LocalStack {
  readonly #cleanups: Array<() => unknown> = [];
  readonly #processes = new Map<string, SupervisedProcess>();
  #layout!: Layout;
  #front: ReturnType<typeof createFront> | undefined;
  #demo: Demo | undefined;
  #signInUrl: string | undefined;
  #stopping: Promise<void> | undefined;
  #writeTimer: NodeJS.Timeout | undefined;
  /** Last error when writing the quickstart file. */
  #lastWriteError: string | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly notify: (sentence: string) => void,
    /** Whether to repair corrupt files, keeping all valid records. */
    private readonly repair = false,
  ) {}

  /** Starts all processes. If the start fails, for example because the port is in use, stops them all and rejects. */
  async start(): Promise<Quickstart> {
    try {
      return await this.#start();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * Drains the processes within 10 seconds, in the order in which a request passes through them. Idempotent, and can be
   * called during the start.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Kills all processes. Acknowledged writes are on disk. */
  kill(): void {
    for (const child of this.#processes.values()) child.kill();
  }

  async #start(): Promise<Quickstart> {
    const { settings } = this;
    this.#cleanups.push(await lockDataFolder(settings.DATA_DIR));
    removeQuickstart(settings.DATA_DIR);
    const logs = new LogFiles(join(settings.DATA_DIR, 'logs'));
    this.#cleanups.push(() => logs.close());
    const log = createLog('supervisor', settings.LOG_LEVEL, logs.open('supervisor'));
    this.#layout = await this.#plan();
    for (const replica of processesOf(settings)) this.#processes.set(replica.name, this.#supervise(replica, logs, log));
    for (const child of [...this.#processes.values()].toReversed()) child.start();
    await this.#serveAdmin(log);
    const [owner] = await Promise.all([
      this.#startIdentity(logs),
      this.#startPayments(logs),
      this.#waitUntil(() => [...this.#processes.values()].every((child) => child.ports)),
    ]);
    this.#demo = await this.#ensureDemo(owner);
    this.#signInUrl = owner?.createSignInLink();
    await this.#waitUntil(() => this.#allReady());
    this.#writeQuickstart();
    return this.#quickstart();
  }

  /**
   * Starts the local identity provider in this process unless an external one is configured. Returns the owner of the
   * demo workspace.
   */
  async #startIdentity(logs: LogFiles): Promise<DemoOwner | undefined> {
    const { settings } = this;
    const { baseUrl, identity } = this.#layout;
    const { port } = identity;
    if (port === undefined) return undefined;
    const log = createLog('identity', settings.LOG_LEVEL, logs.open('identity'));
    const onReset = (email: string, link: string) => this.notify(`To set a new password for ${email}, open ${link}`);
    const options = { settings, baseUrl, log, onReset, ...this.#damageOptions };
    const starting = startLocalIdentity({ ...identity, port }, options);
    this.#cleanups.push(async () => (await starting.catch(() => undefined))?.stop());
    const running = await starting;
    const { DemoOwner } = await import('./demo-owner.js');
    return DemoOwner.ensure(settings.DATA_DIR, identity, running);
  }

  /** Starts the payment sandbox in this process if the layout contains one. */
  async #startPayments(logs: LogFiles): Promise<void> {
    const { settings } = this;
    const { baseUrl, payments } = this.#layout;
    if (!payments) return;
    const log = createLog('payments', settings.LOG_LEVEL, logs.open('payments'));
    const starting = startLocalPayments(payments, { settings, baseUrl, log, ...this.#damageOptions });
    this.#cleanups.push(async () => (await starting.catch(() => undefined))?.stop());
    await starting;
  }

  /** How the identity provider and the payment sandbox handle corrupt files. */
  get #damageOptions(): { repair: boolean; onLoss: (message: string) => void } {
    return { repair: this.repair, onLoss: this.notify };
  }

  /** Listens on the front's port and chooses all other ports. */
  async #plan(): Promise<Layout> {
    const { settings } = this;
    const identity = await chooseIdentity(settings);
    const taken = identity.port === undefined ? [settings.PORT] : [settings.PORT, identity.port];
    const payments = await choosePayments(settings, taken);
    const excluded = payments ? [...taken, payments.port] : taken;
    const reserved = await reservePorts(portCount(settings.REPLICAS), INNER_HOST, excluded);
    this.#cleanups.push(() => reserved.release());
    const ports = assignPorts(settings.REPLICAS, reserved.ports);
    const addressesOf = (name: 'gateway' | 'redirect') =>
      ports.replicas.map((each) => ({ host: INNER_HOST, port: each[name] }));
    const front = createFront({ gateways: addressesOf('gateway'), redirects: addressesOf('redirect') });
    const port = await listen(front, settings.PORT, settings.BIND_HOST);
    this.#front = front;
    return {
      settings,
      repair: this.repair,
      ports,
      baseUrl: `http://localhost:${port}`,
      mongodbUri: settings.MONGODB_URI ?? `mongodb://${INNER_HOST}:${ports.engine}/?replicaSet=rs0`,
      natsUrl: settings.NATS_URL ?? `nats://${INNER_HOST}:${ports.broker}`,
      identity,
      payments,
    };
  }

  #supervise(replica: Replica, logs: LogFiles, log: Log): SupervisedProcess {
    const { role, name } = replica;
    const env = environmentOf(replica, this.#layout);
    return new SupervisedProcess({
      name,
      // Beside the running program, which may be a bundle.
      entry: join(dirname(process.argv[1]!), 'role.js'),
      args: [role, name],
      env: { ...process.env, ...memoryEnvironment(), ...env },
      logFd: logs.open(name),
      log,
      onChange: () => this.#writeQuickstart(),
      onNotice: (sentence) => this.notify(sentence),
      ...(role === 'engine' && {
        crashCause: `its data.mdb may be damaged: restore the folder ${env['ENGINE_DIR']} from a backup`,
      }),
    });
  }

  async #serveAdmin(log: Log): Promise<void> {
    const admin = await serveAdmin({
      port: this.#layout.ports.admin,
      host: INNER_HOST,
      registry: createMetrics('supervisor'),
      log,
      required: Object.fromEntries([...this.#processes].map(([name, child]) => [name, () => !!child.ports])),
    });
    this.#cleanups.push(() => admin.stop());
  }

  /**
   * Returns the demo workspace of the data folder with a valid API key. Reuses the workspace and the key of the last
   * start if possible.
   */
  async #ensureDemo(owner: DemoOwner | undefined): Promise<Demo> {
    const { DATA_DIR } = this.settings;
    // The services process finds or creates the workspace, because a gRPC client would use 13 MB of memory in this one.
    const services = this.#processes.get('services')!;
    for (;;) {
      try {
        const last = readDemo(DATA_DIR);
        const found = (await services.call('findDemo', last)) as Demo | null;
        const demo = found ?? ((await services.call('createDemo', (await owner?.access()) ?? null)) as Demo);
        const owned = owner ? { ...demo, person: owner.person } : demo;
        if (demo.apiKey !== last.apiKey) writeDemo(DATA_DIR, owned);
        return owned;
      } catch (error) {
        const code = faultCode(error);
        if (code !== 'SERVICE_UNAVAILABLE' && code !== 'TIMEOUT') throw error;
        await this.#pause();
      }
    }
  }

  /** Returns whether all processes are ready, and the gateways are connected to the services. */
  async #allReady(): Promise<boolean> {
    const { ports } = this.#layout;
    const isReady = async (port: number): Promise<boolean> => {
      const answer = await request(`http://${INNER_HOST}:${port}/readyz`, {}, READY_TIMEOUT_MS).catch(() => undefined);
      // A gateway is ready even if a service is unavailable, but then its response names that service.
      return answer?.status === 200 && !serviceNames.some((name) => answer.body.includes(name));
    };
    const adminPorts = ports.replicas.flatMap((each) => [
      each.gatewayAdmin,
      each.redirectAdmin,
      ...serviceNames.map((name) => each[`${name}Admin`]),
    ]);
    return (await Promise.all(adminPorts.map(isReady))).every(Boolean);
  }

  async #waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await condition())) {
      const failed = [...this.#processes.values()].find((child) => child.failure);
      if (failed) throw new Error(`${failed.failure}.`);
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    if (this.#stopping) throw new Error('The start was interrupted.');
    await sleep(POLL_MS);
  }

  /**
   * Writes the quickstart file if the demo workspace exists and the stack is not stopping. Retries if the write fails.
   */
  #writeQuickstart(): void {
    clearTimeout(this.#writeTimer);
    if (!this.#demo || this.#stopping) return;
    try {
      writeQuickstart(this.settings.DATA_DIR, this.#quickstart());
      this.#lastWriteError = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#lastWriteError) this.notify(`quickstart.json cannot be written: ${message}`);
      this.#lastWriteError = message;
      this.#writeTimer = setTimeout(() => this.#writeQuickstart(), WRITE_RETRY_MS).unref();
    }
  }

  #quickstart(): Quickstart {
    const demo = { ...this.#demo!, signInUrl: this.#signInUrl };
    return quickstartContent(this.#layout, demo, (name) => this.#processes.get(name));
  }

  async #stop(): Promise<void> {
    const until = Date.now() + DRAIN_MS;
    if (this.#front) await closeHttp(this.#front, FRONT_DRAIN_MS);
    for (const child of this.#processes.values()) await child.stop(until - Date.now());
    if (this.#layout) removeQuickstart(this.settings.DATA_DIR);
    for (const cleanUp of this.#cleanups.toReversed()) await cleanUp();
  }
}
