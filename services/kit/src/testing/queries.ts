import type { Connection, Model } from 'mongoose';
import { shardedCollections, type ShardKey } from '../mongo/sharding.js';

/** A query that the driver sent, in the form of a `find` command. */
export type RecordedQuery = { find: string; filter: object; sort?: object } & Record<string, unknown>;

/** The results of analyzing the recorded queries. */
export interface QueryReport {
  /** Collections that were queried. */
  collections: Set<string>;
  /** Queries that scan a whole collection, one per shape. */
  scanning: RecordedQuery[];
  /** Queries that sort in memory, one per shape. */
  sorting: RecordedQuery[];
  /**
   * Queries of sharded collections that go to every shard (scatter-gather), as `<collection>: <fields of the filter>`.
   */
  broadcast: Set<string>;
}

/**
 * Records the queries of a connection, which must have the option `monitorCommands`. Returns a function that analyzes
 * the queries since its last call.
 */
export function recordQueries(connection: Connection): () => Promise<QueryReport> {
  const queries: RecordedQuery[] = [];
  connection.getClient().on('commandStarted', ({ command }) => queries.push(...asFinds(command)));
  return async () => {
    const sent = new Map(queries.splice(0).map((query) => [shapeOf(query), query]));
    const found: QueryReport = { collections: new Set(), scanning: [], sorting: [], broadcast: new Set() };
    for (const query of sent.values()) {
      const plan = await planOf(connection, query);
      found.collections.add(query.find);
      if (plan.includes('"COLLSCAN"')) found.scanning.push(query);
      if (plan.includes('"SORT"')) found.sorting.push(query);
    }
    found.broadcast = broadcastOf([...sent.values()], connection.models);
    return found;
  };
}

/**
 * Returns, as `<collection>: <fields of the filter>`, the queries that go to every shard because their filter does not
 * contain the shard key that the models declare.
 */
export function broadcastOf(queries: RecordedQuery[], models: object): Set<string> {
  const keys = new Map(shardedCollections(models).map(({ collection, key }) => [collection, key]));
  const broadcast = queries.filter(({ find, filter }) => keys.has(find) && !isTargeted(filter, keys.get(find)!));
  return new Set(broadcast.map(({ find, filter }) => `${find}: ${Object.keys(filter).sort().join(', ')}`));
}

/** Returns whether a filter has a condition on the whole shard key: equality, or a range if the key is not hashed. */
export function isTargeted(filter: object, key: ShardKey): boolean {
  const { $or, $and, ...fields } = filter as { $or?: object[]; $and?: object[] } & Record<string, unknown>;
  const coversKey = Object.entries(key).every(([name, kind]) => isTargeting(fields[name], kind === 'hashed'));
  return coversKey || !!$or?.every((each) => isTargeted(each, key)) || !!$and?.some((each) => isTargeted(each, key));
}

function isTargeting(condition: unknown, hashed: boolean): boolean {
  if (condition === null || typeof condition !== 'object' || condition instanceof Date) return condition !== undefined;
  const operators = Object.keys(condition);
  if (!operators.every((name) => name.startsWith('$'))) return true;
  const isRange = operators.some((name) => name.startsWith('$gt')) && operators.some((name) => name.startsWith('$lt'));
  return operators.includes('$eq') || operators.includes('$in') || (!hashed && isRange);
}

/** Returns the unique indexes that a sharded cluster rejects, because they do not begin with the shard key. */
export function unshardableIndexes(models: object): object[] {
  const sharded = new Map(shardedCollections(models).map(({ collection, key }) => [collection, key]));
  return Object.values(models as Record<string, Model<object>>).flatMap(({ schema, collection }) => {
    const key = sharded.get(collection.name);
    const unique = key ? schema.indexes().filter(([, options]) => options.unique) : [];
    return unique
      .map(([fields]) => fields)
      .filter((fields) => !Object.keys(key!).every((name, i) => Object.keys(fields)[i] === name));
  });
}

type Command = Record<string, unknown>;

/**
 * Converts a find, findAndModify, distinct, aggregate, update or delete command to `find` commands with the same
 * filters.
 */
export function asFinds({
  find,
  findAndModify,
  update,
  delete: remove,
  aggregate,
  distinct,
  ...body
}: Command): RecordedQuery[] {
  const pick = (...fields: string[]) =>
    Object.fromEntries(fields.filter((field) => field in body).map((field) => [field, body[field]]));
  if (findAndModify) return [{ find: findAndModify as string, filter: body['query'] as object, ...pick('sort') }];
  if (find)
    return [{ find: find as string, filter: body['filter'] as object, ...pick('sort', 'skip', 'limit', 'projection') }];
  if (distinct) return [{ find: distinct as string, filter: body['query'] as object }];
  if (aggregate) {
    const [first] = body['pipeline'] as { $match?: object }[];
    return [{ find: aggregate as string, filter: first?.$match ?? {}, ...pick('hint') }];
  }
  const statements = (update ? body['updates'] : remove ? body['deletes'] : []) as { q: object }[];
  return statements.map(({ q }) => ({ find: (update ?? remove) as string, filter: q }));
}

/** Returns the shape of a query: its fields and operators without values. */
const shapeOf = (query: RecordedQuery): string =>
  JSON.stringify(query, (key, value: unknown) => {
    if (Array.isArray(value) && key === '$in') return [];
    return key === 'find' || value === null || typeof value === 'object' ? value : typeof value;
  }).replace(/"\d{4}-[^"]+"/g, '"time"');

async function planOf(connection: Connection, query: RecordedQuery): Promise<string> {
  const { queryPlanner } = (await connection.db!.command({ explain: query, verbosity: 'queryPlanner' })) as {
    queryPlanner: { winningPlan: object };
  };
  return JSON.stringify(queryPlanner.winningPlan);
}

/** A store, and sample calls of each of its methods. */
export interface StoreCalls {
  store: object;
  methods: Record<string, () => Promise<unknown>[]>;
}

/** Calls every method of the stores. Throws if a method has no sample call, or a sample call has no method. */
export async function callEveryMethod(stores: StoreCalls[]): Promise<void> {
  for (const { store, methods } of stores) {
    const [named, declared] = [Object.keys(methods).sort().join(), methodsOf(store).join()];
    if (named !== declared)
      throw new Error(`The methods of the store are ${declared}; sample calls exist for ${named}.`);
    // One method after the other, because a session accepts one command at a time.
    for (const call of Object.values(methods)) for (const each of call()) await each;
  }
}

/** Returns the method names of an object or class instance. */
function methodsOf(store: object): string[] {
  const prototype = Object.getPrototypeOf(store) as object;
  const owner = (prototype === Object.prototype ? store : prototype) as Record<string, unknown>;
  return Object.getOwnPropertyNames(owner)
    .filter((name) => name !== 'constructor' && typeof owner[name] === 'function')
    .sort();
}
