import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '@jest/globals';
import { eventually, freePort } from '@tautan/kit/testing';
import { startBroker, type RealBroker } from '../support/broker.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { startStack, type Stack } from '../support/stack.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { matrix, settingsOf, type Cell, type Peer, type ProcessName } from './cells.js';
import { kill, pidOf } from './kill.js';

const FAULT_MS = 3_000;
const KILLS = 3;
const READY_WITHIN_MS = 60_000;
const FLAP_MS = 250;
const FILL_MS = 50;
/**
 * Size of a disk. The engine needs up to three times the size of its data while it replays its journal after a crash.
 */
const DISK_MEBIBYTES = 192;

/** The name of each process in quickstart.json. All services share one process, so `links` stands for them. */
const quickstartNames = {
  gateway: 'gateway',
  redirect: 'redirect',
  services: 'links',
  broker: 'nats',
  engine: 'mongodb',
  supervisor: 'supervisor',
};

/** Times of a fault, in Unix milliseconds. */
export interface FaultTimes {
  /**
   * Times when the process of the cell was killed. The verifier uses only those of a redirect process, which may lose
   * its last clicks when it is killed.
   */
  kills: number[];
  /** Time when the fault had ended and every process that was killed was ready again. */
  endedAt: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The whole product with small disks, and with a proxy in each connection to the broker, database and services. */
export class FaultyStack {
  readonly #proxies = new Map<string, TcpProxy[]>();
  readonly #disks = new Map<ProcessName, SmallDisk[]>();
  #stack!: Stack;
  #broker: RealBroker | undefined;
  #env: Record<string, string> = {};

  private constructor(
    private readonly dataDir: string,
    private readonly random: (limit: number) => number,
  ) {}

  /** Starts the product. Without `withDisks`, no disks are mounted. */
  static async start(random: (limit: number) => number, withDisks: boolean): Promise<FaultyStack> {
    const faulty = new FaultyStack(await mkdtemp(join(tmpdir(), 'tautan-chaos-')), random);
    const ports: Record<string, Record<string, number>> = {};
    for (const [name, { reaches, disks }] of Object.entries(matrix) as [ProcessName, (typeof matrix)[ProcessName]][]) {
      if (withDisks)
        faulty.#disks.set(
          name,
          disks.map((disk) => mountSmallDisk(join(faulty.dataDir, disk), DISK_MEBIBYTES)),
        );
      ports[name] = {};
      for (const peer of reaches) Object.assign(ports[name], await faulty.#startProxies(name, peer));
    }
    faulty.#broker = await startBroker();
    faulty.#env = {
      PORT: String(await freePort()),
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '..', 'support', 'through-proxies.js')).href}`,
      PROXIES: JSON.stringify(ports),
      PROXIES_DIR: faulty.dataDir,
    };
    await faulty.#start();
    return faulty;
  }

  /** The current stack. It is replaced when the supervisor is killed. */
  get stack(): Stack {
    return this.#stack;
  }

  /** Injects the fault of a cell. Resolves when it has ended and every process runs again. */
  async inject({ process: name, fault, peer }: Cell): Promise<FaultTimes> {
    const proxies = peer ? this.#proxies.get(`${name} ${peer}`)! : [];
    const setAll = (mode: Parameters<TcpProxy['set']>[0]): void => proxies.forEach((proxy) => proxy.set(mode));
    const kills: number[] = [];
    switch (fault) {
      case 'latency':
      case 'half-open':
      case 'reset':
        setAll(fault);
        await pause(FAULT_MS);
        break;
      case 'flapping':
        for (const until = Date.now() + FAULT_MS; Date.now() < until;) {
          setAll('reset');
          await pause(FLAP_MS);
          setAll('pass');
          await pause(FLAP_MS + this.random(FLAP_MS));
        }
        break;
      case 'killed':
        setAll('reset');
        if (peer) await pause(FAULT_MS / 2);
        kills.push(...(await this.#kill(name)));
        break;
      case 'hung':
        await this.#hang(name);
        break;
      case 'full disk':
        setAll('reset');
        await this.#fillDisks(name);
    }
    setAll('pass');
    if (fault === 'killed') await this.#untilReady();
    return { kills, endedAt: Date.now() };
  }

  async stop(): Promise<void> {
    await this.#stack?.stop();
    await this.#broker?.stop();
    await Promise.all([...this.#proxies.values()].flat().map((proxy) => proxy.stop()));
    for (const disk of [...this.#disks.values()].flat()) disk.unmount();
    if (!process.env['KEEP_DATA']) await rm(this.dataDir, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    this.#stack = await startStack({ dataDir: this.dataDir, env: this.#env, broker: this.#broker });
  }

  async #startProxies(name: ProcessName, peer: Peer): Promise<Record<string, number>> {
    const ports: Record<string, number> = {};
    const proxies: TcpProxy[] = [];
    for (const setting of settingsOf[peer]) {
      const proxy = await startTcpProxy(() => portIn(join(this.dataDir, `${name}.${setting}`)));
      proxies.push(proxy);
      ports[setting] = proxy.port;
    }
    this.#proxies.set(`${name} ${peer}`, proxies);
    return ports;
  }

  /** Waits until every service is ready again. Throws after a minute. */
  async #untilReady(): Promise<void> {
    await eventually(async () => {
      const { services } = await this.#stack.quickstart();
      const responses = await Promise.all(services.map(({ admin }) => fetch(`${admin}/readyz`)));
      expect(responses.map(({ status }) => status)).toEqual(services.map(() => 200));
    }, READY_WITHIN_MS);
  }

  async #kill(name: ProcessName): Promise<number[]> {
    if (name === 'supervisor') return [await this.#killSupervisor()];
    const kills: number[] = [];
    for (let i = 0; i < KILLS; i += 1) {
      kills.push(await kill(this.#stack, quickstartNames[name]));
      await pause(this.random(FAULT_MS / KILLS));
    }
    return kills;
  }

  /** Kills the supervisor, so that all its processes stop, and restarts the stack with the same data. */
  async #killSupervisor(): Promise<number> {
    process.kill(this.#stack.pid, 'SIGKILL');
    const at = Date.now();
    await rm(join(this.dataDir, 'quickstart.json'), { force: true });
    await this.#start();
    return at;
  }

  async #hang(name: ProcessName): Promise<void> {
    const pid = await eventually(() => pidOf(this.#stack, quickstartNames[name]));
    process.kill(pid, 'SIGSTOP');
    await pause(FAULT_MS);
    process.kill(pid, 'SIGCONT');
  }

  async #fillDisks(name: ProcessName): Promise<void> {
    const disks = this.#disks.get(name)!;
    for (const until = Date.now() + FAULT_MS; Date.now() < until; await pause(FILL_MS))
      for (const disk of disks) disk.fill();
    for (const disk of disks) disk.release();
  }
}

function portIn(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
