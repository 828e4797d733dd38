import type { Connection } from 'mongoose';

/** A search that the driver sent, as a find. */
export type Search = { find: string; filter: object; sort?: object } & Record<string, unknown>;

/**
 * Records the searches that a connection with `monitorCommands` sends. Returns a function that returns which collections were
 * searched since, and the searches that read a whole collection, one of each shape.
 */
export function recordSearches(
  connection: Connection,
): () => Promise<{ collections: Set<string>; scanning: Search[] }> {
  const searches: Search[] = [];
  connection.getClient().on('commandStarted', ({ command }) => searches.push(...asFinds(command)));
  return async () => {
    const sent = new Map(searches.splice(0).map((search) => [shapeOf(search), search]));
    const scanning: Search[] = [];
    for (const search of sent.values()) if (await scans(connection, search)) scanning.push(search);
    return { collections: new Set([...sent.values()].map(({ find }) => find)), scanning };
  };
}

type Command = Record<string, unknown>;

/** Returns what a find, an aggregation, an update or a delete looks for, as finds. */
export function asFinds({ find, findAndModify, update, delete: remove, aggregate, ...body }: Command): Search[] {
  const pick = (...fields: string[]) =>
    Object.fromEntries(fields.filter((field) => field in body).map((field) => [field, body[field]]));
  if (findAndModify) return [{ find: findAndModify as string, filter: body['query'] as object, ...pick('sort') }];
  if (find)
    return [{ find: find as string, filter: body['filter'] as object, ...pick('sort', 'skip', 'limit', 'projection') }];
  if (aggregate) {
    const [first] = body['pipeline'] as { $match?: object }[];
    return [{ find: aggregate as string, filter: first?.$match ?? {}, ...pick('hint') }];
  }
  const statements = (update ? body['updates'] : remove ? body['deletes'] : []) as { q: object }[];
  return statements.map(({ q }) => ({ find: (update ?? remove) as string, filter: q }));
}

/** Tells searches apart by their fields and operators, not by values. */
const shapeOf = (search: Search): string =>
  JSON.stringify(search, (key, value: unknown) => {
    if (Array.isArray(value) && key === '$in') return [];
    return key === 'find' || value === null || typeof value === 'object' ? value : typeof value;
  }).replace(/"\d{4}-[^"]+"/g, '"time"');

async function scans(connection: Connection, search: Search): Promise<boolean> {
  const { queryPlanner } = (await connection.db!.command({ explain: search, verbosity: 'queryPlanner' })) as { queryPlanner: object }; // prettier-ignore
  return JSON.stringify(queryPlanner).includes('"COLLSCAN"');
}
