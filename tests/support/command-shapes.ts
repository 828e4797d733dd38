import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as billing from '@tautan/billing/sharding';
import { shardedCollections, type ShardKey } from '@tautan/kit/mongo';
import { isTargeted } from '@tautan/kit/testing';
import * as links from '@tautan/links/sharding';
import type { ServiceName } from '@tautan/proto/services';
import * as qr from '@tautan/qr/sharding';
import * as webhooks from '@tautan/webhooks/sharding';
import * as workspaces from '@tautan/workspaces/sharding';
import mongoose from 'mongoose';
import type { CommandShape } from './shape-recorder.js';

// The requirements of a sharded cluster: https://www.mongodb.com/docs/manual/core/sharded-cluster-query-router/ and
// https://www.mongodb.com/docs/manual/core/transactions-operations/. The checks below also require that a command that
// changes one document names its shard key. MongoDB 7.0 and later accept such a command without the shard key, but
// search every shard for the document.

/** The shard keys of a service's collections, and the commands that may omit them. */
export interface ShardingRules {
  keys: Map<string, ShardKey>;
  broadcastQueries: Record<string, string>;
}

/** A command that a sharded cluster would reject, or send to every shard. */
export interface ShardingProblem {
  /**
   * `<collection>: <problem>`. For a query that goes to every shard, the problem is a list of the fields of its
   * filter.
   */
  label: string;
  shape: CommandShape;
}

const sharding = { billing, links, qr, webhooks, workspaces } satisfies Record<ServiceName, unknown>;

/** Reads the rules that the services declare, by service. */
export function declaredRules(): Map<string, ShardingRules> {
  const connection = (): mongoose.Connection => mongoose.createConnection();
  return new Map(
    Object.entries(sharding).map(([name, { createModels, broadcastQueries }]) => {
      const keys = shardedCollections(createModels(connection())).map(
        ({ collection, key }) => [collection, key] as const,
      );
      return [name, { keys: new Map(keys), broadcastQueries }];
    }),
  );
}

/** Reads the distinct command shapes recorded in a folder (COMMAND_SHAPES_DIR). */
export async function readShapes(folder: string): Promise<CommandShape[]> {
  const files = await readdir(folder).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  // The last line of a killed process can be incomplete.
  const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
  return [...new Set(lines)].map((line) => JSON.parse(line) as CommandShape);
}

/** Returns the recorded commands that a sharded cluster would reject, or send to every shard. */
export function shardingProblems(shapes: CommandShape[], rules: Map<string, ShardingRules>): ShardingProblem[] {
  return shapes.flatMap((shape) => {
    const { keys, broadcastQueries } = rules.get(shape.app) ?? {
      keys: new Map<string, ShardKey>(),
      broadcastQueries: {},
    };
    return labelsOf(shape, keys)
      .filter((label) => !Object.hasOwn(broadcastQueries, label))
      .map((label) => ({ label, shape }));
  });
}

function labelsOf(shape: CommandShape, keys: Map<string, ShardKey>): string[] {
  const { collection, command, outputs = [] } = shape;
  const outputLabels = outputs
    .filter((output) => keys.has(output.split(' ')[1]!))
    .map((output) => `${collection}: ${output}`);
  const key = keys.get(collection);
  if (!key) return outputLabels;
  const problems = command in checks ? checks[command]!(shape, key) : filterProblems(shape, key);
  return [...outputLabels, ...problems.map((problem) => `${collection}: ${problem}`)];
}

type Check = (shape: CommandShape, key: ShardKey) => string[];

const filterProblems: Check = ({ filter = {} }, key) =>
  isTargeted(filter, key) ? [] : [Object.keys(filter).sort().join(', ')];

const writeProblems: Check = (shape, key) => {
  const { filter = {}, one, upsert, fields = [], isReplacement } = shape;
  if (!one && !upsert) return [...filterProblems(shape, key), ...changedKey(fields, key)];
  const names = Object.keys(filter).sort().join(', ');
  const namesShardKey = Object.keys(key).every((name) => filter[name] === '?' || '$eq' in Object(filter[name]));
  const untargeted = namesShardKey ? [] : [`${names} (${upsert ? 'upsert' : 'one document'})`];
  return [...untargeted, ...(isReplacement ? missingKey(fields, key) : changedKey(fields, key))];
};

/** Returns the fields of a shard key that a document can lack and an update can change: all except `_id`. */
const changeableFields = (key: ShardKey): string[] => Object.keys(key).filter((name) => name !== '_id');
const missingKey = (fields: string[], key: ShardKey): string[] =>
  changeableFields(key)
    .filter((name) => !fields.includes(name))
    .map((name) => `documents without ${name}`);
const changedKey = (fields: string[], key: ShardKey): string[] =>
  changeableFields(key)
    .filter((name) => fields.includes(name))
    .map((name) => `changes ${name}`);

const countProblems: Check = (shape, key) => [
  ...filterProblems(shape, key),
  ...(shape.inTransaction ? [`${shape.command} in a transaction`] : []),
];

const checks: Record<string, Check> = {
  count: countProblems,
  distinct: countProblems,
  insert: ({ fields = [] }, key) => missingKey(fields, key),
  update: writeProblems,
  delete: writeProblems,
  findAndModify: writeProblems,
  createIndexes: ({ unique = [] }, key) =>
    Object.keys(key).every((name, i) => unique[i] === name) ? [] : [`unique index of ${unique.join(', ')}`],
};

/** Returns the text that reports the problems at the end of a test run. */
export function describeProblems(problems: ShardingProblem[]): string {
  const shown = problems.map(({ label, shape }) => `  ${shape.app}  ${label}\n    ${JSON.stringify(shape)}`);
  return `Commands on sharded collections lack the shard key, or would be rejected by a sharded cluster:\n${shown.join('\n')}\nName the shard key, or add \`<collection>: <fields>\` with a reason to broadcastQueries in the service's store/sharding.ts.`;
}
