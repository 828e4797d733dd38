import { Option } from 'commander';
import { command, type Context } from '../command.js';
import { table } from '../output.js';

/** Shard key and sharding state of a collection. */
interface CollectionSharding {
  name: string;
  key: Record<string, unknown>;
  state: string;
}

interface DatabaseSharding {
  database: string;
  collections: CollectionSharding[];
}

const shardCollections = async ({ service }: Context, apply: boolean): Promise<DatabaseSharding> => {
  const { database, collections } = await service.call('sharding', 'ShardCollections', { apply });
  const parsed = collections.map(({ key, ...more }) => ({
    ...more,
    key: JSON.parse(key) as CollectionSharding['key'],
  }));
  return { database, collections: parsed };
};

function textOf({ database, collections }: DatabaseSharding): string {
  if (collections.length === 0) return `${database} has no sharded collections. All are on its primary shard.`;
  const rows = collections.map(({ name, key, state }) => [`${database}.${name}`, JSON.stringify(key), state]);
  const hints = [
    collections.some(({ state }) => state === 'unsharded')
      ? 'To shard the unsharded collections, run: tautan-admin shard --apply'
      : [],
    collections.some(({ state }) => state === 'other key')
      ? 'Collections sharded by a key other than the one shown are not changed. Use reshardCollection to change their key.'
      : [],
  ].flat();
  return [table(['COLLECTION', 'SHARD KEY', 'STATE'], rows), ...hints].join('\n\n');
}

export const shard = command<DatabaseSharding, { apply?: boolean }>({
  name: 'shard',
  summary:
    'Show the collections of this service that declare a shard key; exits with 1 if a collection is not sharded by its key',
  options: [new Option('--apply', 'shard collections that are not sharded yet')],
  examples: ['shard', 'shard --apply'],
  rpc: 'ShardCollections',
  hintWorkload: 'links',
  run: (context, { apply = false }) => shardCollections(context, apply),
  text: textOf,
  failed: ({ collections }) => collections.some(({ state }) => state !== 'sharded'),
});
