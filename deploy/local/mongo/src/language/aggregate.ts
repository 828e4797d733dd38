import { fail, refuse } from './errors.js';
import { bindVariables, parseExpression, type Scope, scopeOf, type Variables } from './expression.js';
import { GROUPS } from './stages/group.js';
import { JOINS } from './stages/join.js';
import { type Output, readMerge, readOut } from './stages/output.js';
import { SELECTIONS } from './stages/select.js';
import { SHAPES } from './stages/shape.js';
import type { CompileStages, PipelineHost, Stage, StageReader, StageTable } from './stages/stage.js';
import { type Document, isDocument, newDocument, typeName } from './values.js';

export type { PipelineHost } from './stages/stage.js';
export type { Output } from './stages/output.js';

export interface Pipeline {
  /** The leading `$match`, for the planner; the pipeline still applies it. */
  leadingFilter?: Document;
  /** The first stage makes the documents itself (`$documents`, `$indexStats`…): the collection is not read. */
  generates: boolean;
  output?: Output;
  run(source: Iterable<Document>, host: PipelineHost): Iterable<Document>;
}

/** Stages that make documents of the server's state; the host knows it. */
const STATE = new Set([
  '$indexStats',
  '$collStats',
  '$currentOp',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
]);

const state: StageReader = (specification, _context, name) => (_input, host) =>
  host.state?.(name, specification) ?? refuse(`the stage ${name}`);

const documentsStage: StageReader = (specification, { scope }) => {
  const list = parseExpression(specification, scope);
  return (_input, _host, variables) => {
    const documents = list(newDocument(), variables);
    if (!Array.isArray(documents) || !documents.every(isDocument))
      return fail(
        5858203,
        `error during aggregation :: caused by :: $documents must evaluate to an array of objects, found ${typeName(documents)}`,
      );
    return documents;
  };
};

const STAGES: StageTable = {
  ...SELECTIONS,
  ...SHAPES,
  ...GROUPS,
  ...JOINS,
  $documents: documentsStage,
  ...Object.fromEntries([...STATE].map((name) => [name, state])),
};

/** Stages of the server that this engine does not have. */
const REFUSED = new Set(
  (
    '$changeStream $changeStreamSplitLargeEvent $densify $fill $geoNear $search $searchMeta $vectorSearch $setWindowFields ' +
    '$shardedDataDistribution $querySettings $queryStats $listSampledQueries $listSearchIndexes $listClusterCatalog $rankFusion $score $scoreFusion'
  ).split(' '),
);

/** Checks and compiles a pipeline. What is not supported is refused by name with CommandNotSupported. */
export function compilePipeline(stages: readonly unknown[], options: { let?: Document | undefined } = {}): Pipeline {
  const variables = bindVariables(options.let);
  const scope = scopeOf(variables);
  const names = stages.map(stageName);
  const last = names.at(-1);
  const writes = last === '$out' || last === '$merge';
  const body = writes ? stages.slice(0, -1) : stages;
  const run = compileStages(body, scope, '');
  const output = writes ? readOutput(last, (stages.at(-1) as Document)[last], scope, variables) : undefined;
  const [first] = stages as [Document?];
  return {
    ...(names[0] === '$match' && { leadingFilter: first!.$match as Document }),
    ...(output && { output }),
    generates: names[0] === '$documents' || STATE.has(names[0] ?? ''),
    run: (source, host) => run(source, host, variables),
  };
}

function readOutput(name: string, specification: unknown, scope: Scope, variables: Variables): Output {
  return name === '$out' ? readOut(specification) : readMerge(specification, scope, variables);
}

function stageName(stage: unknown): string {
  if (!isDocument(stage)) return fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  const keys = Object.keys(stage);
  return keys.length === 1
    ? keys[0]!
    : fail(40323, 'A pipeline stage specification object must contain exactly one field.');
}

const compileStages: CompileStages = (stages, scope, within) => {
  if (!Array.isArray(stages)) return fail('TypeMismatch', `${within || 'A pipeline'} must be an array of stages`);
  const compiled = stages.map((stage: Document, i) => compileStage(stageName(stage), stage, i, scope, within));
  return (input, host, variables) => compiled.reduce((documents, stage) => stage(documents, host, variables), input);
};

function compileStage(name: string, stage: Document, index: number, scope: Scope, within: string): Stage {
  if (name === '$out' || name === '$merge') {
    if (within) fail(51047, `${name} is not allowed within a ${within} stage`);
    fail(40601, `${name} can only be the final stage in the pipeline`);
  }
  if (REFUSED.has(name)) refuse(`the stage ${name}`);
  if (!Object.hasOwn(STAGES, name)) fail(40324, `Unrecognized pipeline stage name: '${name}'`);
  if (index > 0 && (name === '$documents' || STATE.has(name)))
    fail(40602, `${name} is only valid as the first stage in a pipeline`);
  if (within === '$facet' && (name === '$facet' || name === '$documents' || STATE.has(name)))
    fail(40600, `${name} is not allowed to be used within a $facet stage`);
  return STAGES[name]!(stage[name], { scope, compile: compileStages }, name);
}
