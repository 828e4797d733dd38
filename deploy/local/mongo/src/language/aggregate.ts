import { refuse } from './errors.js';
import type { Document } from './values.js';

export interface PipelineHost {
  /** Documents of another collection of the database, in the same snapshot; those matching `filter`, if one is given. */
  collection(name: string, filter?: Document): Iterable<Document>;
  /** The documents of a stage that reads the server's state: `$indexStats`, `$collStats`, `$listLocalSessions`, `$currentOp`. */
  state?(stage: string, specification: unknown): Iterable<Document>;
}

/** What the last stage writes (`$out`, `$merge`); the core carries it out. */
export type Output =
  | { kind: 'out'; db?: string; collection: string }
  | {
      kind: 'merge';
      db?: string;
      collection: string;
      /** The fields that identify a document; `['_id']` unless given. */
      on: string[];
      whenNotMatched: 'insert' | 'discard' | 'fail';
      /** The document to store in place of the existing one; undefined keeps it. Throws DuplicateKey for `fail`. */
      combine(existing: Document, incoming: Document): Document | undefined;
    };

export interface Pipeline {
  /** The leading `$match`, for the planner; the pipeline still applies it. */
  leadingFilter?: Document;
  /** The first stage makes the documents itself ($documents, $indexStats…): the collection is not read. */
  generates: boolean;
  output?: Output;
  run(source: Iterable<Document>, host: PipelineHost): Iterable<Document>;
}

/** Checks and compiles a pipeline. What is not supported is refused by name with CommandNotSupported. */
export function compilePipeline(_stages: Document[], _options: { let?: Document } = {}): Pipeline {
  return refuse('aggregate');
}
