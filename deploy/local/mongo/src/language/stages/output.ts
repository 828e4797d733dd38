import { fail, MongoError, refuse } from '../errors.js';
import { copyDocument, type Document, isDocument, typeName } from '../values.js';

/** What the last stage writes: into which collection, and for `$merge` the document to store in place of an existing one. */
export interface Output {
  stage: '$out' | '$merge';
  collection: string;
  /** Throws DuplicateKey if `whenMatched` is `fail`. */
  combine(existing: Document, incoming: Document): Document;
}

const merged: Output['combine'] = (existing, incoming) => Object.assign(copyDocument(existing), incoming);

function refused({ _id }: Document): never {
  const message = '$merge found a document with the same _id';
  throw new MongoError('DuplicateKey', message, { keyPattern: { _id: 1 }, keyValue: { _id } });
}

/** The stages that write the result of a pipeline into a collection of the same database. */
export const OUTPUTS: Readonly<Record<string, (specification: unknown) => Output>> = {
  $out(specification) {
    if (isDocument(specification)) refuse('$out into another database');
    if (typeof specification === 'string') return { stage: '$out', collection: specification, combine: merged };
    return fail(16990, `$out only supports a string argument, but found ${typeName(specification)}`);
  },
  $merge(specification) {
    const {
      into,
      whenMatched = 'merge',
      ...others
    } = isDocument(specification) ? specification : { into: specification };
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) refuse(`the option '${unknown}' of $merge`);
    if (typeof into !== 'string') return refuse(`'into' of $merge other than a collection's name`);
    if (whenMatched !== 'merge' && whenMatched !== 'fail')
      refuse(`'whenMatched' of $merge other than 'merge' and 'fail'`);
    return { stage: '$merge', collection: into, combine: whenMatched === 'merge' ? merged : refused };
  },
};
