import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiClient } from '../support/client.js';
import { accepted } from '../support/people.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { TrafficVerifier, type TrafficResults } from './traffic-verifier.js';
import { cells, isTestedWithRealNats } from './cells.js';
import { FaultyStack } from './faulty-stack.js';
import { randomFrom, seed, shuffled } from './random.js';
import { Traffic } from './traffic.js';

/** Traffic before a fault, so that caches are filled and connections established. */
const WARM_UP_MS = 500;
const CELL_TIMEOUT_MS = 120_000;

const random = randomFrom(seed);
const onEmbeddedBroker = (process.env['TEST_BROKER'] ?? 'embedded') === 'embedded';
const only = new RegExp(process.env['CHAOS_CELLS'] ?? '');
const withDisks = !process.env['CHAOS_WITHOUT_DISKS'];
const onEmbeddedEngine = process.env['MONGODB_URI'] === undefined;
const chosen = cells.filter(
  (cell) =>
    only.test(cell.name) &&
    (onEmbeddedBroker || isTestedWithRealNats(cell)) &&
    (onEmbeddedEngine || cell.process !== 'engine') &&
    (withDisks || cell.fault !== 'full disk'),
);

let faulty: FaultyStack;
let receiver: Receiver;
const allResults: TrafficResults[] = [];

beforeAll(async () => {
  process.stdout.write(`chaos: CHAOS_SEED=${seed}, ${chosen.length} cells\n`);
  faulty = await FaultyStack.start(random, withDisks);
  receiver = await startReceiver();
  const events = ['link.created', 'link.updated'];
  const api = apiClient(faulty.stack);
  accepted(await api.post('/webhooks', { url: `${receiver.url}/changes`, events }));
  accepted(await api.post('/webhooks', { url: `${receiver.url}/clicks`, events: ['link.clicked'] }));
});
afterAll(async () => {
  await faulty?.stop();
  await receiver?.stop();
});

test.each(shuffled(chosen, random))(
  'everything acknowledged is present exactly once and in time: $name',
  async (cell) => {
    const traffic = await Traffic.begin(() => faulty.stack, cell.name.replaceAll(/[^a-z]+/g, '-'));
    try {
      await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
      const times = await faulty.inject(cell);
      const results = await new TrafficVerifier(faulty.stack, receiver).verify(cell, traffic, times);
      allResults.push(results);
      process.stdout.write(line(cell.name, results));
    } catch (error) {
      process.stdout.write(`chaos: ${cell.name}: FAILED: ${(error as Error).message}\n`);
      throw error;
    } finally {
      traffic.stop();
      await Promise.allSettled([traffic.visitsEnd(), traffic.writesEnd()]);
    }
  },
  CELL_TIMEOUT_MS,
);

test('after all cells, everything acknowledged is still present exactly once', async () => {
  const verifier = new TrafficVerifier(faulty.stack, receiver);
  for (const results of allResults) await verifier.verifyAgain(results);
  expect(allResults).toHaveLength(chosen.length);
});

function line(name: string, { traffic, ...results }: TrafficResults): string {
  const { failedRedirects, slowestRedirectMs, lostClicks, countedAfterMs, deliveredAfterMs } = results;
  return (
    `chaos: ${name}: ${traffic.visits.length} visits, ${failedRedirects} failed, slowest ${slowestRedirectMs} ms, ` +
    `${lostClicks} clicks lost; ${traffic.created.length} links, ${traffic.edits.length} edits; ` +
    `counted after ${countedAfterMs} ms, delivered after ${deliveredAfterMs} ms\n`
  );
}
