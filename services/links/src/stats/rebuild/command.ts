import { parseArgs } from 'node:util';
import { createLog, isFault, Stack } from '@tautan/kit';
import { Bus, connectionOptions } from '@tautan/kit/bus';
import { connectMongo, makeCollections } from '@tautan/kit/mongo';
import { retentionOf, type LinksConfig } from '../../config.js';
import { createModels } from '../../store/models.js';
import { PlanStore } from '../../store/plans.js';
import { StatsStore } from '../../store/stats.js';
import { rebuildStats } from './index.js';

const WAIT_MS = 30_000;

/**
 * The command `rebuild-stats --from YYYY-MM-DD --to YYYY-MM-DD`: makes those days' statistics anew. Answers the exit code:
 * 0 when done, 2 for arguments that are wrong, 1 for everything else; what is wrong is told in one sentence.
 */
export async function rebuildCommand(config: LinksConfig, args: string[]): Promise<number> {
  const log = createLog('links', config.LOG_LEVEL);
  const stack = new Stack(log);
  try {
    const { values } = parseArgs({ args, options: { from: { type: 'string' }, to: { type: 'string' } } });
    const mongo = connectMongo({
      uri: config.MONGODB_URI,
      database: config.MONGODB_DATABASE,
      name: 'rebuild-stats',
      log,
      prepare: async () => makeCollections(models),
    });
    stack.add('database', mongo, (it) => it.close());
    const models = createModels(mongo.connection);
    const bus = new Bus({ ...connectionOptions(config), name: 'rebuild-stats', log });
    stack.add('bus', bus, (it) => it.close());
    await whenThere(() => mongo.ready() && bus.connected);
    const [stats, plans] = [new StatsStore(models), new PlanStore(models, retentionOf(config))];
    const deps = { connection: mongo.connection, models, stats, plans, bus, log };
    await rebuildStats(deps, { from: values.from ?? '', to: values.to ?? values.from ?? '' });
    return 0;
  } catch (error) {
    process.stderr.write(`rebuild-stats: ${error instanceof Error ? error.message : String(error)}\n`);
    const argument = isFault(error) || /^ERR_PARSE_ARGS/.test(String((error as { code?: unknown }).code));
    return argument ? 2 : 1;
  } finally {
    await stack.stop();
  }
}

async function whenThere(ready: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + WAIT_MS;
  while (!ready()) {
    if (performance.now() > giveUpAt) throw new Error('The database or the bus cannot be reached.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
