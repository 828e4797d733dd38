import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventually, natsServerProgram, startBrokerProcess, until, type BrokerProcess } from '@tautan/kit/testing';
import { tautanAdmin } from '../support/admin.js';
import { aLink, apiClient, listAll, type ApiLink, type Client } from '../support/client.js';
import type { ApiAuditEntry } from '../support/events.js';
import { accepted } from '../support/people.js';
import { startReceiver, verifySigned, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';
import { backupStreams, restoreStreams, type StreamBackup } from '../support/stream-backup.js';
import { visit } from '../support/visitor.js';

// The restore drill of docs/operations/backup.md: everything is destroyed and restored in the documented order, except
// that the spill files are restored before the processes start. A copy of the database's folder, taken while its
// process is suspended, is equivalent to an atomic volume snapshot.
const program = natsServerProgram();
if (!program) process.stdout.write('skipped: nats-server was not found; set TEST_BROKER to its path\n');

/** Data of the identity and payment providers, and the demo's secrets, which a disaster would not affect. */
const UNAFFECTED = ['identity', 'payments', 'demo.json'];
const STREAMS = ['EVENTS', 'CLICKS'];
const SLUGS = ['drill-1', 'drill-2', 'drill-3'];
const LOST_LINKS = ['created-after-the-database-backup', 'created-after-the-stream-backup'];

let folder: string;
let receiver: Receiver;
let broker: BrokerProcess;
/** Undefined before the first start, and after `destroy`. */
let stack: Stack | undefined;
let secret: string;
/** Clicks that must be counted after the restore, by slug. */
const ledger = new Map<string, number>(SLUGS.map((slug) => [slug, 0]));
/** Number of clicks that the restore loses, because they come after the backup of the streams. */
let lost = 0;

const dataDir = () => join(folder, 'data');
const copyDir = () => join(folder, 'backup');
const client = (): Client => apiClient(stack!);

async function click(slug: string, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) expect((await visit(stack!.baseUrl, `/${slug}`)).status).toBe(302);
}

async function clickAndRecord(slug: string, times: number): Promise<void> {
  await click(slug, times);
  ledger.set(slug, ledger.get(slug)! + times);
}

const clickCountOf = async (slug: string): Promise<number> =>
  accepted(await client().get<ApiLink>(`/links/${slug}`)).clickCount;
const clickCounts = async (): Promise<Record<string, number>> =>
  Object.fromEntries(await Promise.all(SLUGS.map(async (slug) => [slug, await clickCountOf(slug)] as const)));
const statsTotals = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(
      SLUGS.map(async (slug) => {
        const stats = accepted(await client().get<{ totals: { clicks: number } }>(`/links/${slug}/stats`));
        return [slug, stats.totals.clicks] as const;
      }),
    ),
  );
/** Whether every click of the ledger is counted; false while the API is unavailable. */
const isCounted = (): Promise<boolean> =>
  clickCounts().then(
    (all) => Object.entries(all).every(([slug, count]) => count === ledger.get(slug)),
    () => false,
  );

/** Copies the database while its process is stopped with SIGSTOP. */
async function backUpDatabase(): Promise<void> {
  const pid = (await stack!.quickstart()).mongodb.pid!;
  process.kill(pid, 'SIGSTOP');
  await cp(join(dataDir(), 'mongo'), join(copyDir(), 'mongo'), { recursive: true });
  process.kill(pid, 'SIGCONT');
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Kills all processes of the stack and deletes its data. */
async function destroy(): Promise<void> {
  const { services, mongodb } = await stack!.quickstart();
  const pids = [...new Set([stack!.pid, mongodb.pid!, ...services.map(({ pid }) => pid)])];
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  stack = undefined;
  await until(() => !pids.some(isRunning), 30_000);
  await rm(dataDir(), { recursive: true });
}

const spilledClicks = async (): Promise<number> => {
  const { admin } = (await stack!.quickstart()).services.find(({ name }) => name === 'redirect')!;
  const text = await (await fetch(`${admin}/metrics`)).text();
  return Number(/^tautan_clicks_spilled_total\{[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
};

async function withManager<T>(work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: broker.url });
  try {
    return await work(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

/** Whether every consumer has handled all messages of its stream. */
const isConsumed = (): Promise<boolean> =>
  withManager(async (manager) => {
    for (const stream of STREAMS) {
      const consumers = await manager.consumers.list(stream).next();
      if (consumers.length === 0) return false;
      if (consumers.some(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending > 0)) return false;
    }
    return true;
  });

/** Starts the stack with long timeouts, because this suite checks the result, not the time. */
const start = (): Promise<Stack> => {
  const env = { NATS_URL: broker.url, RPC_TIMEOUT_MS: '30000' };
  return startStack({ dataDir: dataDir(), env, readyWithinMs: 150_000 });
};
/** Runs a command. Retries while its service is unavailable, because the supervisor may just have restarted it. */
const admin = (service: string, ...args: string[]) =>
  eventually(async () => {
    const run = await tautanAdmin(stack!, service, ...args);
    if (run.code === 5) throw new Error(run.stderr);
    return run;
  }, 60_000);
const createdEventsOf = (slug: string) =>
  receiver.of('link.created').filter(({ event }) => event.data['slug'] === slug);

(program ? describe : describe.skip)('after everything was destroyed and restored', () => {
  const firstDay = new Date().toISOString().slice(0, 10);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tautan-drill-'));
    await mkdir(copyDir());
    receiver = await startReceiver();
    broker = await startBrokerProcess(program!);
    stack = await start();

    const events = ['link.created'];
    ({ secret } = accepted(await client().post<{ secret: string }>('/webhooks', { url: receiver.url, events })));
    for (const slug of SLUGS) await aLink(client(), { slug });
    for (const slug of SLUGS) await clickAndRecord(slug, 20);
    await until(isCounted, 30_000);
    await until(() => SLUGS.every((slug) => createdEventsOf(slug).length === 1), 30_000);
    for (const name of UNAFFECTED) await cp(join(dataDir(), name), join(copyDir(), name), { recursive: true });

    // Backups of a running installation: visitors click while the database is copied, and between the two backups.
    const clicks = clickAndRecord(SLUGS[1]!, 60);
    await backUpDatabase();
    await clicks;
    await aLink(client(), { slug: LOST_LINKS[0]! });
    await click(LOST_LINKS[0]!, 5);
    await clickAndRecord(SLUGS[2]!, 10);
    await until(isCounted, 30_000);
    await until(isConsumed, 30_000);
    const streams: StreamBackup[] = await backupStreams(broker.url, STREAMS);

    // Events after the backup of the streams are lost.
    await aLink(client(), { slug: LOST_LINKS[1]! });
    await click(SLUGS[0]!, 15);
    lost = 15;
    await until(async () => (await clickCountOf(SLUGS[0]!)) === ledger.get(SLUGS[0]!)! + lost, 30_000);

    // NATS fails first. Redirects continue, and their clicks are written to disk.
    const before = await spilledClicks();
    await broker.stop();
    await clickAndRecord(SLUGS[0]!, 25);
    await until(async () => (await spilledClicks()) - before >= 25, 30_000);
    await cp(join(dataDir(), 'clicks'), join(copyDir(), 'clicks'), { recursive: true });
    expect((await readdir(join(copyDir(), 'clicks'))).length).toBeGreaterThan(0);
    await destroy();

    // The restore: secrets, database and spill files, then the streams, then the processes.
    await cp(copyDir(), dataDir(), { recursive: true });
    broker = await startBrokerProcess(program!);
    await restoreStreams(broker.url, streams);
    stack = await start();
  }, 600_000);

  afterAll(async () => {
    await stack?.stop();
    await broker?.stop();
    await receiver?.stop();
    if (folder && !process.env['KEEP_DATA']) await rm(folder, { recursive: true, force: true });
  });

  test('every click before the backup of the streams, or in a spill file, is counted once', async () => {
    await until(isCounted, 90_000);
    await until(isConsumed, 60_000);
    expect(await clickCounts()).toEqual(Object.fromEntries(ledger));
    expect(await statsTotals()).toEqual(Object.fromEntries(ledger));
  }, 180_000);

  test('links that were created after the backup of the database are gone', async () => {
    for (const slug of LOST_LINKS) {
      expect((await client().get(`/links/${slug}`)).status).toBe(404);
      expect((await visit(stack!.baseUrl, `/${slug}`)).status).toBe(404);
    }
  });

  test('the audit log is intact and lists a link that only the backup of the streams contains', async () => {
    const verdict = await admin('workspaces', 'audit', 'verify');
    expect(verdict).toMatchObject({ code: 0, stdout: expect.stringMatching(/ intact, \d+ entries/) });
    const entries = await listAll<ApiAuditEntry>(client(), '/audit-log?action=link.created&limit=200');
    const labels = entries.map(({ target }) => target.label);
    expect(labels).toContain(LOST_LINKS[0]);
    expect(labels).not.toContain(LOST_LINKS[1]);
    for (const slug of SLUGS) expect(labels.filter((label) => label === slug)).toHaveLength(1);
  }, 90_000);

  test('the counters of plan limits are correct', async () => {
    for (const service of ['links', 'qr', 'webhooks', 'workspaces'])
      expect(await admin(service, 'usage', 'check')).toMatchObject({ code: 0 });
  }, 120_000);

  test('rebuilding statistics from the stream does not change them', async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(await admin('links', 'stats', 'rebuild', firstDay, today)).toMatchObject({ code: 0 });
    expect(await statsTotals()).toEqual(Object.fromEntries(ledger));
  }, 90_000);

  test('webhooks are signed with the secret from before the restore, and earlier events are not delivered again', async () => {
    await eventually(() => aLink(client(), { slug: 'created-after-the-restore' }), 60_000);
    const [delivery] = await until(() => {
      const found = createdEventsOf('created-after-the-restore');
      return found.length > 0 && found;
    }, 60_000);
    expect(() => verifySigned(delivery!, secret)).not.toThrow();
    for (const slug of SLUGS) expect(createdEventsOf(slug)).toHaveLength(1);
  }, 150_000);

  test('new clicks are counted', async () => {
    await clickAndRecord(SLUGS[0]!, 3);
    await until(isCounted, 60_000);
  }, 100_000);

  test('if only the database is restored, the clicks since its backup are counted from the stream', async () => {
    await until(isConsumed, 30_000);
    await rm(join(copyDir(), 'mongo'), { recursive: true });
    await backUpDatabase();
    await clickAndRecord(SLUGS[1]!, 12);
    await until(isCounted, 30_000);
    await stack!.stop();
    await rm(join(dataDir(), 'mongo'), { recursive: true });
    await cp(join(copyDir(), 'mongo'), join(dataDir(), 'mongo'), { recursive: true });
    await withManager(async (manager) => {
      for (const { name } of await manager.consumers.list('CLICKS').next())
        await manager.consumers.delete('CLICKS', name);
    });
    stack = await start();
    await until(isCounted, 60_000);
    await until(isConsumed, 30_000);
    expect(await clickCounts()).toEqual(Object.fromEntries(ledger));
    expect(await statsTotals()).toEqual(Object.fromEntries(ledger));
  }, 240_000);
});
