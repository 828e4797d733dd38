import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from './commands/context.js';
import { documentField, documents, flag, optionalDocument, optionalDocuments } from './commands/fields.js';
import { OUTPUTS } from './language/stages/output.js';
import { isDocument, type Document } from './language/values.js';

/** What decides where a sharded cluster sends a command, without values: one line of a file of shapes, as JSON. */
export interface CommandShape {
  /** Name of the client, as its driver gives it. */
  app: string;
  db: string;
  collection: string;
  command: string;
  /** Its conditions by field and operator; of an aggregation, those of the first stage. Values are "?". */
  filter?: Document;
  /** Changes one document at most. */
  one?: boolean;
  upsert?: boolean;
  /** Top-level fields of inserted documents and replacements; those that an update changes. */
  fields?: string[];
  isReplacement?: boolean;
  /** Other collections of an aggregation: `$out tags`. */
  others?: string[];
  /** Fields of a unique index. */
  unique?: string[];
  inTransaction?: boolean;
}

type Statement = Omit<CommandShape, 'app' | 'db' | 'collection' | 'command' | 'inTransaction'>;

/** Writes each shape of commands once, to a file of its own in a folder. Only clients that give a name are recorded. */
export class CommandShapes {
  readonly #seen = new Set<string>();
  readonly #file: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${randomUUID()}.jsonl`);
  }

  /** Throws MongoError where the command is malformed, as running it does. */
  note(context: Context): void {
    const { name: command, body, db, client } = context;
    const collection = body[command];
    const statementsOf = Object.hasOwn(shapes, command) ? shapes[command] : undefined;
    if (!statementsOf || client.appName === undefined) return;
    const where = { app: client.appName, db, collection: String(collection), command };
    const inTransaction = body['autocommit'] === false && { inTransaction: true };
    for (const statement of statementsOf(context)) {
      const line = JSON.stringify({ ...where, ...statement, ...inTransaction } satisfies CommandShape);
      // At once: the process may be killed.
      if (this.#seen.size < this.#seen.add(line).size) appendFileSync(this.#file, `${line}\n`);
    }
  }
}

const shapes: Record<string, (context: Context) => Statement[]> = {
  find: ({ body }) => [{ filter: conditionsOf(documentField(body, 'filter')) }],
  count: ({ body }) => [{ filter: conditionsOf(documentField(body, 'query')) }],
  distinct: ({ body }) => [{ filter: conditionsOf(documentField(body, 'query')) }],
  aggregate: ({ body }) => {
    const stages = documents(body, 'pipeline');
    return [{ filter: conditionsOf(optionalDocument(stages[0] ?? {}, '$match') ?? {}), others: othersOf(stages) }];
  },
  insert: ({ body }) => documents(body, 'documents').map((each) => ({ fields: Object.keys(each).sort() })),
  update: ({ body }) =>
    documents(body, 'updates').map((each) => ({
      filter: conditionsOf(documentField(each, 'q')),
      one: !flag(each, 'multi'),
      upsert: flag(each, 'upsert'),
      ...changeOf(each['u']),
    })),
  delete: ({ body }) =>
    documents(body, 'deletes').map((each) => ({
      filter: conditionsOf(documentField(each, 'q')),
      one: each['limit'] === 1,
    })),
  findAndModify: ({ body }) => [
    { filter: conditionsOf(documentField(body, 'query')), one: true, upsert: flag(body, 'upsert'), ...changeOf(body['update']) }, // prettier-ignore
  ],
  createIndexes: ({ body }) =>
    documents(body, 'indexes')
      .filter((index) => flag(index, 'unique'))
      .map((index) => ({ unique: Object.keys(documentField(index, 'key')) })),
  bulkWrite: () => [{}],
};

const logical: ReadonlySet<string> = new Set(['$and', '$or']);

/** A filter without its values; branches that differ by values alone are one. */
function conditionsOf(filter: Document): Document {
  const conditions = Object.keys(filter).sort().map((name): [string, unknown] => [name, conditionOf(name, filter)]); // prettier-ignore
  return Object.fromEntries(conditions);
}

function conditionOf(name: string, filter: Document): unknown {
  if (logical.has(name)) {
    const branches = (optionalDocuments(filter, name) ?? []).map((branch) => JSON.stringify(conditionsOf(branch)));
    return [...new Set(branches)].map((branch) => JSON.parse(branch) as Document);
  }
  const condition = filter[name];
  const operators = isDocument(condition) ? Object.keys(condition).sort() : [];
  if (!operators[0]?.startsWith('$')) return '?';
  return Object.fromEntries(operators.map((operator) => [operator, '?']));
}

/** The fields that an update or a replacement sets. What an upsert alone sets is no change. */
function changeOf(update: unknown): Pick<Statement, 'fields' | 'isReplacement'> {
  const stages = (Array.isArray(update) ? update : [update]).filter(isDocument);
  const names = stages.flatMap(Object.keys);
  const isReplacement = stages.length === 1 && names.every((name) => !name.startsWith('$'));
  if (isReplacement) return { fields: names.sort(), isReplacement };
  const changed = stages.flatMap((stage) => Object.keys(stage).flatMap((operator) => changedBy(operator, stage[operator]))); // prettier-ignore
  return { fields: [...new Set(changed)].sort() };
}

function changedBy(operator: string, operand: unknown): string[] {
  if (operator === '$setOnInsert') return [];
  const paths = isDocument(operand) ? Object.keys(operand) : [operand].flat().map(String);
  return paths.map((path) => path.split('.')[0]!);
}

function othersOf(stages: Document[]): string[] {
  return stages.flatMap(
    (stage) =>
    Object.keys(OUTPUTS).filter((name) => name in stage).map((name) => `${name} ${targetOf(stage[name])}`), // prettier-ignore
  );
}

const targetOf = (stage: unknown): string => String(isDocument(stage) ? stage['into'] : stage);
