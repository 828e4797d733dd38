import { fail, refuse } from '../errors.js';
import { parseExpression, type Variables } from '../expression.js';
import { compileProjectStage, compileSetStage } from '../project.js';
import { type Document, isDocument, typeName } from '../values.js';
import { documentOfStage, type Stage, type StageReader } from './stage.js';

const mapping = (change: (document: Document) => Document): Stage =>
  function* (input) {
    for (const document of input) yield change(document);
  };

const projectStage: StageReader = (specification, variables, name) =>
  mapping(compileProjectStage(documentOfStage(specification, name, 15969), variables));

const setStage: StageReader = (specification, variables, name) =>
  mapping(compileSetStage(documentOfStage(specification, name, 40272), variables));

function replaceBy(newRoot: unknown, variables: Variables, name: string): Stage {
  const expression = parseExpression(newRoot, variables);
  return mapping((document) => {
    const root = expression(document);
    if (isDocument(root)) return root;
    return fail(
      40228,
      `the new root of ${name} must evaluate to an object, but resulting value was of type: '${typeName(root)}'`,
    );
  });
}

/** The stages that turn each document into another one: an update may have these and no others. */
export const SHAPES: Readonly<Record<string, StageReader>> = {
  $project: projectStage,
  $set: setStage,
  $addFields: setStage,
  $replaceWith: replaceBy,
  $replaceRoot(specification, variables, name) {
    const { newRoot, ...others } = documentOfStage(specification, name, 40229);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) refuse(`the option '${unknown}' of ${name}`);
    return replaceBy(newRoot, variables, name);
  },
};
