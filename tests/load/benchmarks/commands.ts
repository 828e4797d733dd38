import { setTimeout } from 'node:timers/promises';
import { startMongo } from '@tautan/local-mongo';
import { aLink, apiClient } from '../../support/client.js';
import { CommandCounter, total } from '../../support/command-counter.js';
import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { benchStack } from '../stack.js';

const LINKS = 200;
const CONCURRENCY = 20;
/** Services sweep their outboxes more often during the first ten seconds after they start. */
const FREQUENT_SWEEPS_MS = 10_000;

/**
 * Counts the database commands that creating a link causes, including its asynchronous effects, and the polls per
 * second of an idle stack.
 */
export async function commands(bench: Bench): Promise<Figure[]> {
  const counter = new CommandCounter();
  bench.atEnd(async () => counter.stop());
  const mongo = await startMongo({ dataDir: await bench.folder() });
  bench.atEnd(() => mongo.stop());
  const stack = await benchStack(bench, { MONGODB_URI: mongo.uri });
  const api = apiClient(stack);
  await aLink(api, { tags: ['shared'] });

  const perLink = async (concurrency: number, fields: Record<string, unknown> = {}): Promise<number> => {
    const counts = await counter.of(async () => {
      for (let created = 0; created < LINKS; created += concurrency)
        await Promise.all(Array.from({ length: concurrency }, () => aLink(api, fields)));
    });
    return total(counts) / LINKS;
  };
  const figure = async (label: string, atMost: number, value: Promise<number>, note?: string): Promise<Figure> => ({
    label,
    value: await value,
    unit: '',
    bound: { atMost },
    ...(note !== undefined && { note }),
  });
  const figures = [
    await figure('commands per link, one at a time', 8, perLink(1), 'with the audit log, counts, outbox and webhooks'),
    await figure(`commands per link, ${CONCURRENCY} at a time`, 4, perLink(CONCURRENCY)),
    await figure(
      `commands per link, ${CONCURRENCY} at a time with the same tag`,
      4,
      perLink(CONCURRENCY, { tags: ['shared'] }),
    ),
  ];
  await setTimeout(FREQUENT_SWEEPS_MS);
  const idle = await counter.idle(10_000);
  return [...figures, await figure('polls of an idle stack', 2, Promise.resolve(idle.pollsPerSecond), 'per second')];
}
