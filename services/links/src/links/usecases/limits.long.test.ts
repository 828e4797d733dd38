import { fork, type ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId, newUlid, type Principal } from '@tautan/kit';
import { rpcClient, type CallOptions } from '@tautan/kit/rpc';
import { freePort, until } from '@tautan/kit/testing';
import { monthOf, startOfMonth } from '@tautan/plans/usage';
import type { PlanName } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import fc from 'fast-check';
import { usageCounters } from '../store/usage.js';
import { aPrincipal, startService, type TestService } from '../../testing/service.js';

// Compares a model of a workspace's usage with two replicas of the service that are killed at random times. The outcome
// of a request whose replica was killed is determined by repeating it with its operation id, as the gateway does.

const LIMITS: Record<PlanName, { links: number | null; domains: number | null }> = {
  FREE: { links: 5, domains: 2 },
  PRO: { links: 12, domains: 4 },
  BUSINESS: { links: 30, domains: 8 },
  UNLIMITED: { links: null, domains: null },
};
type Limit = 'links' | 'domains';

const RUNS = Number(process.env['LIMIT_RUNS'] ?? 3);

let service: TestService;
let replicas: Replica[];

/** A process of the service, with a fixed port and a clock that can be advanced by months. */
class Replica {
  #child: ChildProcess | undefined;
  #months = 0;
  readonly ready: Promise<void>;

  constructor(
    private readonly settings: Record<string, string>,
    readonly port: number,
  ) {
    this.ready = this.start();
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const env = {
      ...this.settings,
      RPC_PORT: String(this.port),
      NODE_OPTIONS: '--no-warnings',
      MONTHS: String(this.#months),
    };
    const path = new URL('../../testing/limits-process.fixture.js', import.meta.url);
    this.#child = fork(path, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await this.#nextMessage();
  }

  #nextMessage(): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#child!.once('message', () => resolve());
      this.#child!.once('exit', (code) => reject(new Error(`a replica exited with code ${code}`)));
    });
  }

  /** Kills the process and restarts it. */
  async killAndRestart(): Promise<void> {
    const ended = new Promise((resolve) => this.#child!.once('exit', resolve));
    this.#child!.kill('SIGKILL');
    await ended;
    await this.start();
  }

  /** Sets the clock of the process to the month that is `months` months ahead. */
  async setMonth(months: number): Promise<void> {
    if (months === this.#months) return;
    this.#months = months;
    const acknowledged = this.#nextMessage();
    this.#child!.send({ months });
    await acknowledged;
  }

  async stop(): Promise<void> {
    this.#child!.removeAllListeners('exit');
    this.#child!.kill('SIGKILL');
  }
}

beforeAll(async () => {
  const plans = Object.entries(LIMITS).map(([name, limits]) => [`PLAN_${name}`, JSON.stringify({ limits })]);
  service = await startService(Object.fromEntries(plans) as Record<string, string>);
  replicas = [await freePort(), await freePort()].map((port) => new Replica(service.settings, port));
  await Promise.all(replicas.map(({ ready }) => ready));
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await service.stop();
});

/** `killed`: whether a replica is killed during the step. */
type Step =
  | { kind: 'create'; limit: Limit; count: number; killed: boolean }
  | { kind: 'import'; count: number; killed: boolean }
  | { kind: 'delete'; limit: Limit; killed: boolean }
  | { kind: 'plan'; plan: PlanName }
  | { kind: 'month' };

const anyLimit = fc.constantFrom<Limit>('links', 'domains');
const killed = fc.boolean();
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      limit: anyLimit,
      count: fc.integer({ min: 1, max: 12 }),
      killed,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('import' as const), count: fc.integer({ min: 1, max: 15 }), killed }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), limit: anyLimit, killed }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('plan' as const),
      plan: fc.constantFrom<PlanName>('FREE', 'PRO', 'BUSINESS', 'UNLIMITED'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('month' as const) }) },
);

/** A workspace: the model of its usage, and calls to the service for it. */
class Workspace {
  readonly id = newId('ws');
  readonly existing: Record<Limit, string[]> = { links: [], domains: [] };
  used = { links: 0, domains: 0 };
  plan: PlanName = 'FREE';
  months = 0;

  get principal(): Principal {
    return aPrincipal(this.id, { plan: this.plan });
  }

  /** Returns how many of `count` creations the plan allows now. */
  allowed(limit: Limit, count: number): number {
    const max = LIMITS[this.plan][limit];
    return max === null ? count : Math.max(0, Math.min(count, max - this.used[limit]));
  }

  call<T>(replica: Replica, work: (client: Clients, options: CallOptions) => Promise<T>): Promise<T> {
    const clients = clientsOf(replica.address);
    const principal = this.principal;
    return work(clients, { requestId: principal.requestId, principal, timeoutMs: 10_000 }).finally(() =>
      clients.close(),
    );
  }
}

const clientsOf = (address: string) => {
  const links = rpcClient(rpcServices.links, { address });
  const domains = rpcClient(rpcServices.domains, { address });
  return { links, domains, close: () => [links, domains].forEach((client) => client.close()) };
};
type Clients = ReturnType<typeof clientsOf>;

/** Repeats a call until it has an outcome, for up to a minute. Returns undefined if the limit rejects it. */
async function settled<T>(run: (attempt: number) => Promise<T>): Promise<T | undefined> {
  const end = Date.now() + 60_000;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run(attempt);
    } catch (error) {
      const { code } = error as { code: string };
      if (code === 'PLAN_LIMIT_EXCEEDED') return undefined;
      if (Date.now() > end || !['SERVICE_UNAVAILABLE', 'TIMEOUT'].includes(code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Awaits `work`. With `kills`, kills and restarts one of the replicas up to 25 ms after the work started. */
async function interrupting<T>(kills: boolean, work: Promise<T>): Promise<T> {
  if (kills) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
    await replicas[Math.floor(Math.random() * 2)]!.killAndRestart();
  }
  return work;
}

async function create(workspace: Workspace, limit: Limit, count: number, kills: boolean): Promise<void> {
  const allowed = workspace.allowed(limit, count);
  const outcomes = await interrupting(
    kills,
    Promise.all(
      Array.from({ length: count }, (_, i) => {
        const [operationId, domain] = [newUlid(), `d${newUlid()}.example.org`];
        return settled((attempt) =>
          workspace.call(replicas[(i + attempt) % 2]!, ({ links, domains }, options) =>
            limit === 'links'
              ? links
                  .call('CreateLink', { url: 'https://example.com/', tags: ['t'], operationId }, options)
                  .then(({ id }) => id)
              : domains.call('AddDomain', { domain, operationId }, options).then(({ id }) => id),
          ),
        );
      }),
    ),
  );
  const created = outcomes.filter((id) => id !== undefined);
  expect(created).toHaveLength(allowed);
  workspace.existing[limit].push(...created);
  workspace.used[limit] += allowed;
}

async function importRows(workspace: Workspace, count: number, kills: boolean): Promise<void> {
  const allowed = workspace.allowed('links', count);
  const request = {
    links: Array.from({ length: count }, () => ({ link: { url: 'https://example.com/' } })),
    operationId: newUlid(),
  };
  const outcome = await interrupting(
    kills,
    settled((attempt) =>
      workspace.call(replicas[attempt % 2]!, async ({ links }, options) => {
        const { results } = await links.call('ImportLinks', request, options);
        // A kill can make individual rows fail while the call succeeds, so the operation is repeated.
        if (results.some(({ error }) => error && error.code !== 'PLAN_LIMIT_EXCEEDED'))
          throw Object.assign(new Error(), { code: 'TIMEOUT' });
        return results;
      }),
    ),
  );
  const created = outcome!.flatMap(({ status, id }) => (status === 'created' ? [id!] : []));
  expect(created).toHaveLength(allowed);
  workspace.existing.links.push(...created);
  workspace.used.links += allowed;
}

async function remove(workspace: Workspace, limit: Limit, kills: boolean): Promise<void> {
  const id = workspace.existing[limit].pop();
  if (id === undefined) return;
  await interrupting(
    kills,
    settled((attempt) =>
      workspace.call(replicas[attempt % 2]!, ({ links, domains }, options) =>
        (limit === 'links'
          ? links.call('DeleteLink', { id }, options)
          : domains.call('DeleteDomain', { id }, options)
        ).catch((error: unknown) => {
          // A repeated call finds nothing if the earlier attempt succeeded.
          if (attempt === 0 || (error as { code: string }).code !== 'NOT_FOUND') throw error;
        }),
      ),
    ),
  );
  // The limit on links counts creations per month, so the deletion of a link does not reduce the usage.
  if (limit === 'domains') workspace.used.domains -= 1;
}

async function apply(workspace: Workspace, step: Step): Promise<void> {
  switch (step.kind) {
    case 'create':
      return create(workspace, step.limit, step.count, step.killed);
    case 'import':
      return importRows(workspace, step.count, step.killed);
    case 'delete':
      return remove(workspace, step.limit, step.killed);
    case 'plan':
      workspace.plan = step.plan;
      return;
    case 'month':
      workspace.months += 1;
      workspace.used.links = 0;
  }
}

test('the counters equal the model after any creations, deletions, kills, and changes of plan and month', async () => {
  const { models } = service;
  const counters = usageCounters(models, models.links.db);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const workspace = new Workspace();
      for (const each of steps) {
        for (const replica of replicas) await replica.setMonth(workspace.months);
        await apply(workspace, each);
        const month = monthOf(startOfMonth(monthOf(new Date()), workspace.months));
        await until(async () => {
          const used = await counters.read(workspace.id, startOfMonth(month));
          return JSON.stringify(used) === JSON.stringify(workspace.used);
        });
        for (const key of [{ limit: 'links', month }, { limit: 'domains' }] as const) {
          expect(await counters.drift({ workspaceId: workspace.id, ...key })).toBe(0);
        }
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 600_000);
