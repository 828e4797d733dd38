import { compilePipeline } from '../language/aggregate.js';
import { MongoError } from '../language/errors.js';
import { isDocument, newDocument, type Document } from '../language/values.js';
import { newEffort, type Effort } from '../query/execute.js';
import type { IndexScan } from '../query/plan.js';
import type { Reply } from '../wire/replies.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { count, documentField, documents, optionalDocument, optionalNumber, optionalText } from './fields.js';
import { hits, hintOf, search, slice, type Search } from './find.js';
import { version } from './server-commands.js';

/** A search of the command to explain, and how much of its result is wanted. */
interface Explained {
  found: Search;
  skip: number;
  limit: number;
}

type Reader = (context: Context, command: Document) => Explained;

const simple =
  (collectionField: string, filterField: string): Reader =>
  (context, command) => ({
    found: search(context, context.nsOf(command[collectionField]), documentField(command, filterField), {
      sort: optionalDocument(command, 'sort'),
      hint: hintOf(command),
      let: optionalDocument(command, 'let'),
    }),
    skip: count(command, 'skip') ?? 0,
    limit: Math.abs(optionalNumber(command, 'limit') ?? 0),
  });

/** The first statement of an update or delete. */
const statement =
  (name: string, list: string): Reader =>
  (context, command) => {
    const [first, ...more] = documents(command, list);
    if (!first || more.length > 0) throw new MongoError('InvalidLength', 'explained write batches must be of size 1');
    const found = search(context, context.nsOf(command[name]), documentField(first, 'q'), { hint: hintOf(first) });
    return { found, skip: 0, limit: 0 };
  };

const aggregation: Reader = (context, command) => {
  const { leadingFilter } = compilePipeline(documents(command, 'pipeline'));
  const found = search(context, context.nsOf(command['aggregate']), leadingFilter ?? newDocument(), {
    hint: hintOf(command),
  });
  return { found, skip: 0, limit: 0 };
};

const readers: Readonly<Record<string, Reader>> = {
  find: simple('find', 'filter'),
  count: simple('count', 'query'),
  distinct: simple('distinct', 'query'),
  findAndModify: simple('findAndModify', 'query'),
  update: statement('update', 'updates'),
  delete: statement('delete', 'deletes'),
  aggregate: aggregation,
};

function scanStage({ index, bounds, reverse }: IndexScan): Document {
  return {
    stage: 'IXSCAN',
    keyPattern: index.spec.key,
    indexName: index.spec.name,
    isMultiKey: index.multikey,
    isUnique: index.unique,
    isSparse: index.spec.sparse ?? false,
    isPartial: index.partial !== undefined,
    indexVersion: 2,
    direction: reverse ? 'backward' : 'forward',
    ranges: bounds.ranges.length,
    equalities: bounds.equalities,
  };
}

/** The plan as stages, the way the server nests them. */
function stages({ plan, sort, collection }: Search): Document {
  const inner = ((): Document => {
    switch (plan.kind) {
      case 'none':
        return { stage: 'EOF' };
      case 'collection':
        return { stage: 'COLLSCAN', direction: plan.reverse ? 'backward' : 'forward' };
      case 'index':
        return { stage: 'FETCH', inputStage: scanStage(plan) };
      case 'union':
        return {
          stage: 'FETCH',
          inputStage: { stage: plan.sorted && sort ? 'SORT_MERGE' : 'OR', inputStages: plan.branches.map(scanStage) },
        };
    }
  })();
  const inOrder = !sort || '$natural' in sort || plan.kind === 'none' || plan.sorted;
  return inOrder || !collection ? inner : { stage: 'SORT', sortPattern: sort, inputStage: inner };
}

function executed(context: Context, { found, skip, limit }: Explained): Document {
  const effort: Effort = newEffort(context.deadline);
  const begun = Date.now();
  let nReturned = 0;
  for (const _ of slice(hits(context, found, effort), skip, limit)) nReturned += 1;
  return {
    executionSuccess: true,
    nReturned,
    executionTimeMillis: Date.now() - begun,
    totalKeysExamined: effort.keys,
    totalDocsExamined: effort.docs,
    executionStages: { ...stages(found), nReturned },
  };
}

const verbosities = new Set(['queryPlanner', 'executionStats', 'allPlansExecution']);

/** `explain`: how a command would look for its documents. Writes are not carried out. */
export const explain: Command = {
  options: ['verbosity'],
  read: true,
  run(context: Context): Reply {
    const command = context.body['explain'];
    if (!isDocument(command)) throw new MongoError('TypeMismatch', "BSON field 'explain' must be an object");
    const verbosity = optionalText(context.body, 'verbosity') ?? 'allPlansExecution';
    if (!verbosities.has(verbosity)) throw new MongoError('FailedToParse', `verbosity '${verbosity}' is not known`);
    const name = Object.keys(command)[0] ?? '';
    const reader = Object.hasOwn(readers, name) ? readers[name]! : undefined;
    if (!reader) throw new MongoError('CommandNotSupported', `explain of '${name}' is not supported by this engine`);
    const explained = reader(context, command);
    const { found } = explained;
    const queryPlanner = { namespace: found.collection?.ns ?? '', winningPlan: stages(found), rejectedPlans: [] };
    return ok({
      explainVersion: '1',
      queryPlanner,
      ...(verbosity !== 'queryPlanner' && { executionStats: executed(context, explained) }),
      command,
      serverInfo: { host: context.engine.identity.address, version },
    });
  },
};
