import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { eachCommand, type WireCommand } from './wire-commands.js';

type Document = WireCommand;

/**
 * The parts of a command that determine its routing in a sharded cluster, without values. Each line of a shapes file
 * is one `CommandShape` as JSON.
 */
export interface CommandShape {
  /** Client name from the driver's handshake. */
  app: string;
  db: string;
  collection: string;
  command: string;
  /**
   * Conditions by field and operator, with "?" as values. For an aggregation, those of a `$match` in the first stage.
   */
  filter?: Document;
  /** Whether the command changes at most one document. */
  one?: boolean;
  upsert?: boolean;
  /** Top-level fields of inserted documents and replacements, or fields that an update changes. */
  fields?: string[];
  isReplacement?: boolean;
  /** Stages of an aggregation that write to a collection, such as `$out tags`. */
  outputs?: string[];
  /** Fields of a unique index. */
  unique?: string[];
  inTransaction?: boolean;
}

type Statement = Omit<CommandShape, 'app' | 'db' | 'collection' | 'command' | 'inTransaction'>;

/**
 * Records the shapes of the queries, writes and unique indexes (see `shapes`) that named clients send to servers of
 * this process, each shape once, in a new file in the folder. Returns a function that stops the recording for new
 * connections.
 */
export function recordShapes(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${randomUUID()}.jsonl`);
  const written = new Set<string>();
  return eachCommand((command, app) => {
    for (const line of shapesOf(command, app).map((shape) => JSON.stringify(shape))) {
      // Write immediately, because the process can be killed.
      if (written.size < written.add(line).size) appendFileSync(file, `${line}\n`);
    }
  });
}

function shapesOf(body: Document, app: string): CommandShape[] {
  const command = Object.keys(body)[0]!;
  const where = { app, db: String(body['$db']), collection: String(body[command]), command };
  const inTransaction = body['autocommit'] === false && { inTransaction: true };
  return (shapes[command]?.(body) ?? []).map((statement) => ({ ...where, ...statement, ...inTransaction }));
}

const shapes: Partial<Record<string, (body: Document) => Statement[]>> = {
  find: (body) => [{ filter: conditionsOf(document(body['filter'])) }],
  count: (body) => [{ filter: conditionsOf(document(body['query'])) }],
  distinct: (body) => [{ filter: conditionsOf(document(body['query'])) }],
  aggregate: (body) => {
    const stages = documents(body['pipeline']);
    return [{ filter: conditionsOf(document(stages[0]?.['$match'])), outputs: outputsOf(stages) }];
  },
  insert: (body) => documents(body['documents']).map((each) => ({ fields: Object.keys(each).sort() })),
  update: (body) =>
    documents(body['updates']).map((each) => ({
      filter: conditionsOf(document(each['q'])),
      one: !Boolean(each['multi']),
      upsert: Boolean(each['upsert']),
      ...changeOf(each['u']),
    })),
  delete: (body) =>
    documents(body['deletes']).map((each) => ({
      filter: conditionsOf(document(each['q'])),
      one: each['limit'] === 1,
    })),
  findAndModify: (body) => [
    {
      filter: conditionsOf(document(body['query'])),
      one: true,
      upsert: Boolean(body['upsert']),
      ...changeOf(body['update']),
    },
  ],
  createIndexes: (body) =>
    documents(body['indexes'])
      .filter((index) => Boolean(index['unique']))
      .map((index) => ({ unique: Object.keys(document(index['key'])) })),
};

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const document = (value: unknown): Document => (isDocument(value) ? value : {});
const documents = (value: unknown): Document[] => (Array.isArray(value) ? value.filter(isDocument) : []);

const logical: ReadonlySet<string> = new Set(['$and', '$or']);

/** Returns a filter without its values. Branches that differ only in their values are merged. */
function conditionsOf(filter: Document): Document {
  const conditions = Object.keys(filter)
    .sort()
    .map((name): [string, unknown] => [name, conditionOf(name, filter)]);
  return Object.fromEntries(conditions);
}

function conditionOf(name: string, filter: Document): unknown {
  if (logical.has(name)) {
    const branches = documents(filter[name]).map((branch) => JSON.stringify(conditionsOf(branch)));
    return [...new Set(branches)].map((branch) => JSON.parse(branch) as Document);
  }
  const condition = filter[name];
  const operators = isDocument(condition) ? Object.keys(condition).sort() : [];
  if (!operators[0]?.startsWith('$')) return '?';
  return Object.fromEntries(operators.map((operator) => [operator, '?']));
}

/** Returns the fields that an update or a replacement changes, without those of `$setOnInsert`. */
function changeOf(update: unknown): Pick<Statement, 'fields' | 'isReplacement'> {
  const stages = (Array.isArray(update) ? update : [update]).filter(isDocument);
  const names = stages.flatMap(Object.keys);
  const isReplacement = stages.length === 1 && names.every((name) => !name.startsWith('$'));
  if (isReplacement) return { fields: names.sort(), isReplacement };
  const changed = stages.flatMap((stage) =>
    Object.keys(stage).flatMap((operator) => changedBy(operator, stage[operator])),
  );
  return { fields: [...new Set(changed)].sort() };
}

function changedBy(operator: string, operand: unknown): string[] {
  if (operator === '$setOnInsert') return [];
  const paths = isDocument(operand) ? Object.keys(operand) : [operand].flat().map(String);
  return paths.map((path) => path.split('.')[0]!);
}

const outputsOf = (stages: Document[]): string[] =>
  stages.flatMap((stage) =>
    ['$out', '$merge'].filter((name) => name in stage).map((name) => `${name} ${targetOf(stage[name])}`),
  );

const targetOf = (stage: unknown): string => String(isDocument(stage) ? stage['into'] : stage);
