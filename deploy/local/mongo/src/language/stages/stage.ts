import type { Scope, Variables } from '../expression.js';
import type { Document } from '../values.js';

/** What a running pipeline reaches beside its input. */
export interface PipelineHost {
  /** Documents of another collection of the database, in the same snapshot; those matching `filter`, if one is given. */
  collection(name: string, filter?: Document): Iterable<Document>;
  /** The documents of a stage that reads the server's state: `$indexStats`, `$collStats`, `$listLocalSessions`, `$currentOp`. */
  state?(stage: string, specification: unknown): Iterable<Document>;
}

/** A stage ready to run; documents pass lazily where the stage allows. */
export type Stage = (input: Iterable<Document>, host: PipelineHost, variables: Variables) => Iterable<Document>;

/** Compiles the stages of a nested pipeline, as `$lookup` and `$facet` have them. */
export type CompileStages = (stages: unknown, scope: Scope, within: string) => Stage;

export interface StageContext {
  scope: Scope;
  compile: CompileStages;
}

export type StageReader = (specification: unknown, context: StageContext, name: string) => Stage;
export type StageTable = Record<string, StageReader>;
