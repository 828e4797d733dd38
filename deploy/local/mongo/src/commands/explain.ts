import { refuse } from '../language/errors.js';
import type { Document } from '../language/values.js';
import type { IndexScan, Plan } from '../query/plan.js';
import { ok, type Command } from './command.js';
import { checkKeys, documentField } from './fields.js';
import { find, findHits, type Search } from './find.js';
import { version } from './server-commands.js';

const scanStage = ({ index, bounds, reverse }: IndexScan): Document => ({
  stage: 'IXSCAN',
  keyPattern: index.spec.key,
  indexName: index.spec.name,
  isMultiKey: index.multikey,
  isUnique: index.unique,
  isSparse: index.spec.sparse ?? false,
  isPartial: index.partial !== undefined,
  direction: reverse ? 'backward' : 'forward',
  ranges: bounds.ranges.length,
  equalities: bounds.equalities,
});

/** Returns the plan as nested stages, like the server. */
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

/** `explain`: the plan of a `find`, and with `executionStats` its execution. */
export const explain: Command = {
  options: ['verbosity'],
  read: true,
  run(context) {
    const command = documentField(context.body, 'explain');
    const [name] = Object.keys(command);
    if (name !== 'find') refuse(`explain of '${name}'`);
    checkKeys(command, ['find', ...find.options!], 'explain');
    const { verbosity } = context.body;
    if (verbosity !== 'queryPlanner' && verbosity !== 'executionStats')
      refuse(`the verbosity '${String(verbosity)}' of explain`);
    const { found, effort, result } = findHits(context, command);
    const winningPlan = stages(found);
    const reply: Document = {
      explainVersion: '1',
      queryPlanner: { namespace: found.collection?.ns ?? '', winningPlan, rejectedPlans: [] },
      serverInfo: { host: context.engine.identity.address, version },
    };
    if (verbosity === 'executionStats') {
      const start = Date.now();
      let nReturned = 0;
      for (const _ of result) nReturned += 1;
      reply['executionStats'] = {
        executionSuccess: true,
        nReturned,
        executionTimeMillis: Date.now() - start,
        totalKeysExamined: effort.keys,
        totalDocsExamined: effort.docs,
        executionStages: { ...winningPlan, nReturned },
      };
    }
    return ok(reply);
  },
};
