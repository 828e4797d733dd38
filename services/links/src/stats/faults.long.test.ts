import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { clickSubject } from '@tautan/proto';
import { readRange } from './domain/range.js';
import { StatsStore } from './store/stats.js';
import { aClickBatch, type TestClick } from '../testing/clicks.js';
import { startFixture, type LinkRoute, type Fixture } from '../testing/redirects.js';
import { StatsFigures } from './steps/stats-figures.js';
import type { PartitionBatch } from './collect-additions.js';

let fixture: Fixture;
beforeAll(async () => void (fixture = await startFixture({ own: true })));
afterAll(() => fixture.stop());

const DAY = '2026-05-01';
const range = readRange({ from: DAY, to: DAY }, new Date());

/** Returns batches of clicks of some links, and the expected counts by link. */
function batchesOf(routes: LinkRoute[], count: number) {
  const ledger = new Map<
    string,
    { clicks: number; bots: number; visitors: Set<string>; referrers: Map<string, number> }
  >();
  const batches = Array.from({ length: count }, (_, i) => {
    const { linkId: link, workspaceId: workspace } = routes[i % routes.length]!;
    const entry = ledger.get(link) ?? { clicks: 0, bots: 0, visitors: new Set(), referrers: new Map<string, number>() };
    ledger.set(link, entry);
    const clicks = Array.from({ length: 1 + ((i * 13) % 40) }, (_, n): TestClick => {
      const [bot, visitor, referrer] = [n % 9 === 8, `visitor ${(i * 31 + n * 7) % 500}`, `h${n % 5}.example.com`];
      if (bot) entry.bots += 1;
      else {
        entry.clicks += 1;
        entry.visitors.add(visitor);
        entry.referrers.set(referrer, (entry.referrers.get(referrer) ?? 0) + 1);
      }
      return {
        link,
        workspace,
        bot,
        visitor,
        referrer,
        at: Date.parse(`${DAY}T${String((i + n) % 24).padStart(2, '0')}:30:00Z`),
      };
    });
    return aClickBatch(clicks);
  });
  return { batches, ledger };
}

/** Publishes a batch like a redirect process: retries until the stream has stored it. */
async function publish({ batch, partition }: PartitionBatch, id = batch.id): Promise<void> {
  await until(
    () =>
      fixture.bus.publish(clickSubject(partition), JSON.stringify(batch), { id }).then(
        () => true,
        () => false,
      ),
    30_000,
  );
}

const allApplied = (batches: PartitionBatch[]) =>
  until(
    async () =>
      (await fixture.models.appliedBatches
        .countDocuments({ _id: { $in: batches.map(({ batch }) => batch.id) } })
        .catch(() => 0)) === batches.length,
    90_000,
  );

async function figures(routes: LinkRoute[]) {
  const store = new StatsStore(fixture.models);
  const results = routes.map(async (route) => {
    const { total } = await StatsFigures.read(store, 'link', route.linkId, range);
    const referrers = total.by
      .get('referrers')!
      .top(9)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const { clickCount } = await fixture.link(route);
    return { clickCount, clicks: total.clicks, bots: total.bots, uniques: total.visitors.estimate(), referrers };
  });
  return Promise.all(results);
}

const expected = (routes: LinkRoute[], ledger: ReturnType<typeof batchesOf>['ledger']) =>
  routes.map(({ linkId }) => {
    const { clicks, bots, visitors, referrers } = ledger.get(linkId)!;
    const keys = Array.from(referrers, ([key, count]) => ({ key, clicks: count })).sort((a, b) =>
      a.key < b.key ? -1 : 1,
    );
    return { clickCount: clicks, clicks, bots, uniques: visitors.size, referrers: keys };
  });

const someRoutes = () => Promise.all(Array.from({ length: 8 }, () => fixture.aRoute({ workspaceId: newId('ws') })));

test('loses no click when consumers are killed and the database and the bus restart, and ignores republished batches', async () => {
  const routes = await someRoutes();
  const { batches, ledger } = batchesOf(routes, 300);
  let { process } = await fixture.child('stats');
  const other = await fixture.child('stats');
  for (const [i, batch] of batches.entries()) {
    await publish(batch);
    if (i % 60 === 20) {
      process.kill('SIGKILL');
      process = (await fixture.child('stats')).process;
    }
    if (i === 100) void fixture.mongo.stop().then(() => fixture.mongo.start());
    if (i === 200) void fixture.nats.stop().then(() => fixture.nats.start());
  }
  other.process.kill('SIGKILL');
  await allApplied(batches);
  expect(await figures(routes)).toEqual(expected(routes, ledger));
  for (const batch of batches) await publish(batch, newUlid());
  const last = batchesOf(routes, 16 * routes.length);
  for (const batch of last.batches) await publish(batch);
  await allApplied(last.batches);
  expect((await figures(routes)).map(({ clicks }, i) => clicks - last.ledger.get(routes[i]!.linkId)!.clicks)).toEqual(
    routes.map(({ linkId }) => ledger.get(linkId)!.clicks),
  );
}, 180_000);

test.each(['find', 'insert', 'update', 'commitTransaction'])(
  'connections that break during %s commands do not change the counts',
  async (command) => {
    const routes = await someRoutes();
    const { batches, ledger } = batchesOf(routes, 60);
    const { process } = await fixture.child('stats');
    const admin = fixture.models.links.db.getClient().db('admin');
    const data = { failCommands: [command], closeConnection: true, appName: 'links' };
    await admin.command({ configureFailPoint: 'failCommand', mode: { activationProbability: 0.2 }, data });
    for (const batch of batches) await publish(batch);
    await admin.command({ configureFailPoint: 'failCommand', mode: { activationProbability: 0.02 }, data });
    await allApplied(batches);
    await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
    process.kill('SIGKILL');
    expect(await figures(routes)).toEqual(expected(routes, ledger));
  },
  120_000,
);
