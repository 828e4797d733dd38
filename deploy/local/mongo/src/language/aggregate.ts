import { fail, refuse } from './errors.js';
import type { Variables } from './expression.js';
import { countStage, groupStage } from './group.js';
import { limitStage, matchStage, SHAPES, skipStage, sortStage, type Stage, type StageReader } from './stages.js';
import { type Document, isDocument } from './values.js';

export interface Pipeline {
  /** The leading `$match`, for the planner; the pipeline still applies it. */
  leadingFilter?: Document;
  run: Stage;
}

/** The stages. */
export const STAGES: Readonly<Record<string, StageReader>> = {
  $match: matchStage,
  $sort: sortStage,
  $limit: limitStage,
  $skip: skipStage,
  $group: groupStage,
  $count: countStage,
  ...SHAPES,
};

/** Checks and compiles a pipeline. Stages that are not in the tables are refused. */
export function compilePipeline(stages: readonly unknown[], variables: Variables = {}): Pipeline {
  const named = stages.map((stage) => [stageName(stage), stage as Document] as const);
  const compiled = named.map(([name, stage]) => {
    if (!Object.hasOwn(STAGES, name)) refuse(`the stage ${name}`);
    return STAGES[name]!(stage[name], variables, name);
  });
  const [first] = named;
  return {
    ...(first?.[0] === '$match' && { leadingFilter: first[1].$match as Document }),
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
