import type { Doc } from '../bson/doc.js';
import { MongoError } from '../language/errors.js';
import type { Collection } from '../storage/collection.js';

/** Error 121 when the collection has a validator that the document does not match. */
export function checkValid({ validator, options }: Collection, doc: Doc): void {
  if (!validator || options.validationLevel === 'off') return;
  if (validator.matches(doc.decoded)) return;
  const errInfo = {
    failingDocumentId: doc.decoded['_id'],
    details: { operatorName: '$and', reason: 'the validator does not match' },
  };
  throw new MongoError('DocumentValidationFailure', 'Document failed validation', { errInfo });
}
