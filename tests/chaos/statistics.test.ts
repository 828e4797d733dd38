import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { eventually } from '@tautan/kit/testing';
import { clickSubject, streams } from '@tautan/proto';
import { apiClient, type ApiLink, type Client } from '../support/client.js';
import { accepted } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';
import { ClickLedger, dimensions, type Batch, type Count } from './click-ledger.js';
import { kill } from './kill.js';
import { randomFrom, seed } from './random.js';

const CLICKS = Number(process.env['CHAOS_CLICKS'] ?? 100_000);
const LINKS = 40;
const HOURS = 72;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Pause between batches of about a hundred clicks, so that kills happen while clicks are in flight. */
const PACE_MS = 25;
const TOLERANCE = 0.02;

const random = randomFrom(seed);

let stack: Stack;
let api: Client;
let connection: NatsConnection;
let bus: JetStreamClient;
let manager: JetStreamManager;

beforeAll(async () => {
  stack = await startStack();
  api = apiClient(stack);
  const { nats } = await stack.quickstart();
  connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  bus = jetstream(connection, { timeout: 2_000 });
  manager = await jetstreamManager(connection);
});
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});

/** Publishes a batch like the redirect process: retries with the same id until the stream has stored the batch. */
const publish = ({ partition, batch }: Batch, msgID: string): Promise<unknown> =>
  eventually(() => bus.publish(clickSubject(partition), JSON.stringify(batch), { msgID }), 60_000);

/** Returns the number of messages that no statistics consumer has acknowledged. */
async function lag(): Promise<number> {
  let messages = 0;
  for await (const { name, num_pending, num_ack_pending } of manager.consumers.list(streams.clicks.name)) {
    if (name.startsWith('stats-')) messages += num_pending + num_ack_pending;
  }
  return messages;
}

interface Stats {
  totals: { clicks: number; uniques: number; bots: number };
  timeSeries: { time: string; clicks: number }[];
}

const from = Math.floor(Date.now() / DAY_MS) * DAY_MS - (HOURS / 24) * DAY_MS;
const range = `from=${day(from)}&to=${day(from + HOURS * HOUR_MS - 1)}`;

/** Returns the counts of a link from the API, and separately its estimated visitors. */
async function statsOf(id: string) {
  const link = accepted(await api.get<ApiLink>(`/links/${id}`));
  const stats = accepted(
    await api.get<Stats & Record<string, { key: string; clicks: number }[]>>(
      `/links/${id}/stats?${range}&granularity=hour`,
    ),
  );
  return {
    uniques: stats.totals.uniques,
    counted: {
      clickCount: link.clickCount,
      clicks: stats.totals.clicks,
      bots: stats.totals.bots,
      hours: stats.timeSeries.map(({ time, clicks }) => [time, clicks]),
      by: dimensions.map((dimension) => [dimension, byKey(stats[dimension]!.map(({ key, clicks }) => [key, clicks]))]),
    },
  };
}

const expected = ({ clicks, bots, hours, by }: Count) => ({
  clickCount: clicks,
  clicks,
  bots,
  hours: Array.from({ length: HOURS }, (_, i) => [
    new Date(from + i * HOUR_MS).toISOString(),
    hours.get(from + i * HOUR_MS) ?? 0,
  ]),
  by: [...by].map(([dimension, counts]) => [dimension, byKey([...counts])]),
});

async function expectEqual(ledger: ClickLedger): Promise<void> {
  const sum = { clicks: 0, bots: 0, visitors: new Set<string>() };
  for (const [id, count] of ledger.counts) {
    const { counted, uniques } = await statsOf(id);
    expect(counted).toEqual(expected(count));
    expect(Math.abs(uniques - count.visitors.size)).toBeLessThanOrEqual(TOLERANCE * count.visitors.size);
    sum.clicks += count.clicks;
    sum.bots += count.bots;
    for (const visitor of count.visitors) sum.visitors.add(visitor);
  }
  const { totals } = accepted(await api.get<Stats>(`/workspaces/current/stats?${range}`));
  expect(totals).toMatchObject({ clicks: sum.clicks, bots: sum.bots });
  expect(Math.abs(totals.uniques / sum.visitors.size - 1)).toBeLessThan(TOLERANCE);
}

test('statistics equal the ledger of clicks even if processes are killed, and publishing all clicks again changes nothing', async () => {
  const { workspaceId } = await stack.quickstart();
  const rows = Array.from({ length: LINKS }, (_, i) => ({ url: `https://example.com/${i}` }));
  const { results } = accepted(await api.post<{ results: { id: string }[] }>('/links/import', { links: rows }));
  const ledger = new ClickLedger(
    workspaceId,
    results.map(({ id }) => id),
    { from, count: HOURS },
    seed,
  );
  const sent: Batch[] = [];
  let publishing = true;
  const external = process.env['MONGODB_URI'] !== undefined;
  const victims = ['links', 'nats', ...(external ? [] : ['mongodb'])];
  let kills = 0;
  const killer = (async () => {
    for (; publishing; kills += 1) {
      await kill(stack, victims[random(victims.length)]!);
      await new Promise((resolve) => setTimeout(resolve, 500 + random(2_000)));
    }
  })();
  for (const each of ledger.batches(CLICKS)) {
    await publish(each, each.batch.id);
    sent.push(each);
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
  publishing = false;
  await killer;
  await eventually(async () => expect(await lag()).toBe(0), 90_000, 250);
  await expectEqual(ledger);

  for (const each of sent) await publish(each, newUlid());
  await eventually(async () => expect(await lag()).toBe(0), 90_000, 250);
  await expectEqual(ledger);
  process.stdout.write(
    `chaos: ${kills} kills, ${CLICKS} clicks in ${sent.length} batches published twice and counted as in the ledger\n`,
  );
}, 300_000);

const byKey = (pairs: [string, number][]) => pairs.sort(([a], [b]) => (a < b ? -1 : 1));

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
