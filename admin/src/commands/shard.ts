import { Option } from 'commander';
import { command, type Context } from '../command.js';
import { table } from '../output.js';

/** How one collection is sharded. */
interface Sharded {
  name: string;
  key: Record<string, unknown>;
  state: string;
}

interface Shards {
  database: string;
  collections: Sharded[];
}

const read = async ({ service }: Context, apply: boolean): Promise<Shards> => {
  const { database, collections } = await service.call('sharding', 'ShardCollections', { apply });
  const parsed = collections.map(({ key, ...more }) => ({ ...more, key: JSON.parse(key) as Sharded['key'] }));
  return { database, collections: parsed };
};

function textOf({ database, collections }: Shards): string {
  if (collections.length === 0) return `No collection of ${database} is sharded: all stay on its primary shard.`;
  const rows = collections.map(({ name, key, state }) => [`${database}.${name}`, JSON.stringify(key), state]);
  const hints = [
    collections.some(({ state }) => state === 'unsharded')
      ? 'Shard those that are not with: tautan-admin shard --apply'
      : [],
    collections.some(({ state }) => state === 'other key')
      ? 'A collection with another key is left alone; reshardCollection changes its key.'
      : [],
  ].flat();
  return [table(['COLLECTION', 'SHARD KEY', 'STATE'], rows), ...hints].join('\n\n');
}

export const shard = command<Shards, { apply?: boolean }>({
  name: 'shard',
  summary: 'Show by which key each collection of this service is sharded; exit code 1 when one is not',
  options: [new Option('--apply', 'shard collections that are not sharded yet')],
  examples: ['shard', 'shard --apply'],
  needs: 'ShardCollections',
  where: 'links',
  run: (context, { apply = false }) => read(context, apply),
  text: textOf,
  failed: ({ collections }) => collections.some(({ state }) => state !== 'sharded'),
});
