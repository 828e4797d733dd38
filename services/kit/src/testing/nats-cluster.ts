import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { until } from './until.js';

const START_MS = 60_000;

/** Returns the program of a real NATS server: TEST_BROKER, or `nats-server` on PATH. Undefined if there is none. */
export function natsServerProgram(): string | undefined {
  const named = process.env['TEST_BROKER'];
  const program = named && named !== 'embedded' ? named : 'nats-server';
  return spawnSync(program, ['--version']).status === 0 ? program : undefined;
}

interface Member {
  name: string;
  args: string[];
  url: string;
  monitor: string;
  process: ChildProcess;
}

interface JetStreamReport {
  meta_cluster?: { leader?: string };
  account_details?: { stream_detail?: { name: string; cluster?: { leader?: string } }[] }[];
}

/** A Raft group with its own leader: JetStream's metadata (`meta`), or a stream by its name. */
export type RaftGroup = 'meta' | 'EVENTS' | 'CLICKS';

/** Three `nats-server` processes on loopback that form one JetStream cluster. */
export class NatsCluster {
  private constructor(
    private readonly program: string,
    private readonly folder: string,
    private readonly members: Member[],
  ) {}

  /** Starts the cluster. Resolves when the servers have elected a leader and accept streams. */
  static async start(program: string): Promise<NatsCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'tautan-nats-cluster-'));
    const names = ['n1', 'n2', 'n3'];
    const ports = await Promise.all(
      names.map(async () => [await freePort(), await freePort(), await freePort()] as const),
    );
    const routes = ports.map(([, route]) => `nats://127.0.0.1:${route}`).join(',');
    const members = names.map((name, i) => {
      const [client, route, monitor] = ports[i]!;
      const args = [
        '-js',
        '-sd',
        join(folder, name),
        '-a',
        '127.0.0.1',
        '-p',
        `${client}`,
        '-m',
        `${monitor}`,
        '-n',
        name,
        '--cluster_name',
        'tautan',
        '--cluster',
        `nats://127.0.0.1:${route}`,
        '--routes',
        routes,
      ];
      const process = run(program, args);
      return { name, args, url: `nats://127.0.0.1:${client}`, monitor: `http://127.0.0.1:${monitor}`, process };
    });
    const cluster = new NatsCluster(program, folder, members);
    await cluster.untilHealthy();
    return cluster;
  }

  /** URLs of all servers, in the format of `NATS_URL`. */
  get url(): string {
    return this.members.map(({ url }) => url).join(',');
  }

  /** Resolves when all streams and consumers are current on every server. */
  async untilHealthy(): Promise<void> {
    await until(async () => {
      const checks = this.members.map(({ monitor }) =>
        fetch(`${monitor}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      return (await Promise.all(checks)).every(Boolean) && (await this.leaderOf('meta')) !== undefined;
    }, START_MS);
  }

  /** Returns the name of the leader, or undefined if the running servers do not agree on one (during an election). */
  async leaderOf(group: RaftGroup): Promise<string | undefined> {
    const names = new Set<string | undefined>();
    for (const { monitor, process } of this.members) {
      if (process.exitCode !== null || process.signalCode !== null) continue;
      const report = await fetch(`${monitor}/jsz?streams=1`).then(
        (answer) => answer.json() as Promise<JetStreamReport>,
        () => undefined,
      );
      const streams = report?.account_details?.flatMap(({ stream_detail }) => stream_detail ?? []) ?? [];
      const { leader } =
        (group === 'meta' ? report?.meta_cluster : streams.find(({ name }) => name === group)?.cluster) ?? {};
      names.add(leader || undefined);
    }
    const [leader] = names;
    return names.size === 1 && this.members.some(({ name }) => name === leader) ? leader : undefined;
  }

  /** Kills the leader (SIGKILL) and returns its name. If an election is in progress, waits for its result first. */
  async killLeader(group: RaftGroup): Promise<string> {
    let leader: string | undefined;
    await until(async () => (leader = await this.leaderOf(group)) !== undefined, START_MS);
    await kill(this.#member(leader!).process);
    return leader!;
  }

  /** Restarts a killed server with its data. */
  restart(name: string): void {
    const member = this.#member(name);
    member.process = run(this.program, member.args);
  }

  /** Kills all servers and deletes their data. */
  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ process }) => kill(process)));
    await rm(this.folder, { recursive: true, force: true });
  }

  #member(name: string): Member {
    return this.members.find((member) => member.name === name)!;
  }
}

const run = (program: string, args: string[]): ChildProcess => spawn(program, args, { stdio: 'ignore' });

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
