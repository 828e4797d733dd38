import { fail } from '../errors.js';
import { type Scope, scopeOf, type Variables } from '../expression.js';
import { type Document, isDocument } from '../values.js';
import { SHAPES } from './shape.js';
import type { PipelineHost } from './stage.js';

const ALLOWED = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith']);

const nowhere: PipelineHost = { collection: () => [] };

/** The stages that an update may have, as a function of one document. */
export function compileUpdatePipeline(
  stages: readonly Document[],
  values: Variables,
  scope: Scope = scopeOf(values),
): (document: Document, variables?: Variables) => Document {
  const compiled = stages.map((stage) => {
    const [name, ...others] = isDocument(stage) ? Object.keys(stage) : [];
    if (name === undefined || others.length > 0)
      return fail(40323, 'A pipeline stage specification object must contain exactly one field.');
    if (!ALLOWED.has(name)) fail('InvalidOptions', `${name} is not allowed to be used within an update`);
    const compile = (): never => fail('InvalidOptions', `${name} is not allowed to be used within an update`);
    return SHAPES[name]!(stage[name], { scope, compile }, name);
  });
  return (document, variables = values) => {
    let result = document;
    for (const stage of compiled) [result] = [...stage([result], nowhere, variables)] as [Document];
    return result;
  };
}
