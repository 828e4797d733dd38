import { refuse } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { newEffort } from '../query/execute.js';
import type { IndexScan, Plan } from '../query/plan.js';
import type { Reply } from '../wire/replies.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { checkKeys, documentField } from './fields.js';
import { find, findSearch, hits, rangeOf, slice, type Search } from './find.js';
import { version } from './server-commands.js';

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
function stages({ plan, sort }: Search): Document {
  if (!plan) return { stage: 'EOF' };
  const inner = plan.isCollectionScan
    ? { stage: 'COLLSCAN', direction: 'forward' }
    : { stage: 'FETCH', inputStage: scanStages(plan, sort) };
  return !sort || plan.sorted ? inner : { stage: 'SORT', sortPattern: sort, inputStage: inner };
}

function scanStages({ scans, sorted }: Plan, sort: Document | undefined): Document {
  const [scan, ...others] = scans.map(scanStage);
  return others.length === 0 ? scan! : { stage: sorted && sort ? 'SORT_MERGE' : 'OR', inputStages: [scan, ...others] };
}

function executed(context: Context, found: Search, { skip, limit }: { skip: number; limit: number }): Document {
  const effort = newEffort(context.deadline);
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

/** `explain`: how a `find` would look for its documents. */
export const explain: Command = {
  options: ['verbosity'],
  read: true,
  run(context: Context): Reply {
    const command = documentField(context.body, 'explain');
    const [name] = Object.keys(command);
    if (name !== 'find') refuse(`explain of '${name}'`);
    checkKeys(command, ['find', ...find.options], 'explain');
    const { verbosity } = context.body;
    if (verbosity !== 'queryPlanner' && verbosity !== 'executionStats')
      refuse(`the verbosity '${String(verbosity)}' of explain`);
    const found = findSearch(context, command);
    const queryPlanner = { namespace: found.collection?.ns ?? '', winningPlan: stages(found), rejectedPlans: [] };
    return ok({
      explainVersion: '1',
      queryPlanner,
      ...(verbosity === 'executionStats' && { executionStats: executed(context, found, rangeOf(command)) }),
      serverInfo: { host: context.engine.identity.address, version },
    });
  },
};
