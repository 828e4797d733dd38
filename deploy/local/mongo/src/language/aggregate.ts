import { fail, refuse } from './errors.js';
import { parseExpression, type Variables } from './expression.js';
import { countStage, groupStage } from './stages/group.js';
import { type Output, OUTPUTS } from './stages/output.js';
import { limitStage, matchStage, skipStage, sortStage } from './stages/select.js';
import { SHAPES } from './stages/shape.js';
import type { Stage, StageReader } from './stages/stage.js';
import { type Document, isDocument, newDocument, typeName } from './values.js';

export interface Pipeline {
  /** The leading `$match`, for the planner; the pipeline still applies it. */
  leadingFilter?: Document;
  /** The first stage makes the documents itself (`$documents`): no collection is read. */
  generates: boolean;
  output?: Output;
  run: Stage;
}

const documentsStage: StageReader = (specification, variables) => {
  const list = parseExpression(specification, variables);
  return () => {
    const documents = list(newDocument());
    if (Array.isArray(documents) && documents.every(isDocument)) return documents;
    return fail(5858203, `$documents must evaluate to an array of objects, found ${typeName(documents)}`);
  };
};

/** The stages, but for those that write the result (`OUTPUTS`). */
export const STAGES: Readonly<Record<string, StageReader>> = {
  $match: matchStage,
  $sort: sortStage,
  $limit: limitStage,
  $skip: skipStage,
  $group: groupStage,
  $count: countStage,
  $documents: documentsStage,
  ...SHAPES,
};

/** Checks and compiles a pipeline. Stages that are not in the tables are refused. */
export function compilePipeline(stages: readonly unknown[], variables: Variables = {}): Pipeline {
  const named = stages.map((stage) => [stageName(stage), stage as Document] as const);
  const [first, last] = [named[0], named.at(-1)];
  const writes = last !== undefined && Object.hasOwn(OUTPUTS, last[0]);
  const compiled = (writes ? named.slice(0, -1) : named).map(([name, stage], i) => {
    if (Object.hasOwn(OUTPUTS, name)) fail(40601, `${name} can only be the final stage in the pipeline`);
    if (!Object.hasOwn(STAGES, name)) refuse(`the stage ${name}`);
    if (name === '$documents' && i > 0) fail(40602, `${name} is only valid as the first stage in a pipeline`);
    return STAGES[name]!(stage[name], variables, name);
  });
  return {
    ...(first?.[0] === '$match' && { leadingFilter: first[1].$match as Document }),
    ...(writes && { output: OUTPUTS[last[0]]!(last[1][last[0]]) }),
    generates: first?.[0] === '$documents',
    run: (input) => compiled.reduce((documents, stage) => stage(documents), input),
  };
}

/** Checks and compiles the stages of an update into a function of one document. */
export function compileUpdatePipeline(
  stages: readonly unknown[],
  variables: Variables,
): (document: Document) => Document {
  const compiled = stages.map((stage) => {
    const name = stageName(stage);
    if (!Object.hasOwn(SHAPES, name)) refuse(`the stage ${name} in an update`);
    return SHAPES[name]!((stage as Document)[name], variables, name);
  });
  return (document) => {
    const [result] = compiled.reduce<Iterable<Document>>((documents, stage) => stage(documents), [document]);
    return result!;
  };
}

function stageName(stage: unknown): string {
  if (!isDocument(stage)) return fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  const [name, ...others] = Object.keys(stage);
  if (name !== undefined && others.length === 0) return name;
  return fail(40323, 'A pipeline stage specification object must contain exactly one field.');
}
