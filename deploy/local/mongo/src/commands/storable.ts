import { ObjectId } from 'bson';
import { malformed } from '../bson/check.js';
import { Doc } from '../bson/doc.js';
import { elements, findElement, idFirst, int32Bytes, rawName, type RawDoc } from '../bson/raw.js';
import { MAX_DOCUMENT_BYTES } from '../language/encode.js';
import { MongoError } from '../language/errors.js';
import { T } from '../language/values.js';
import type { Collection } from '../storage/collection.js';

const idName = rawName('_id');

/**
 * A document as it is stored: sound BSON of at most 16 MiB with its `_id` first, made when there is none. Errors 22, 53
 * and 10334.
 */
export function storable(raw: RawDoc): Doc {
  const wrong = malformed(raw);
  if (wrong) throw new MongoError(22, `invalid BSON: ${wrong}`);
  const at = findElement(raw, 0, idName);
  const stored = at < 0 ? withNewId(raw) : idFirst(raw);
  if (at >= 0 && raw.charCodeAt(at) === T.array)
    throw new MongoError('InvalidIdField', "The '_id' value cannot be of type array");
  if (at >= 0 && raw.charCodeAt(at) === T.object) checkIdFields(raw, at + 1 + idName.length);
  checkSize(stored);
  return new Doc(stored);
}

function checkIdFields(raw: RawDoc, start: number): void {
  for (const { name } of elements(raw, start)) {
    if (name.startsWith('$'))
      throw new MongoError(
        'DollarPrefixedFieldName',
        `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`,
      );
  }
}

export function checkSize(raw: RawDoc): void {
  if (raw.length <= MAX_DOCUMENT_BYTES) return;
  throw new MongoError(
    'BSONObjectTooLarge',
    `object to insert too large. size in bytes: ${raw.length}, max size: ${MAX_DOCUMENT_BYTES}`,
  );
}

function withNewId(raw: RawDoc): RawDoc {
  const element = `\x07${idName}${Buffer.from(new ObjectId().id).toString('latin1')}`;
  return int32Bytes(raw.length + element.length) + element + raw.slice(4);
}

/** Error 121 when the collection has a validator that the document does not match. */
export function checkValid({ validator }: Collection, doc: Doc): void {
  if (!validator || validator.matches(doc.decoded)) return;
  const details = { operatorName: '$and', reason: 'the validator does not match' };
  const errInfo = { failingDocumentId: doc.decoded['_id'], details };
  throw new MongoError('DocumentValidationFailure', 'Document failed validation', { errInfo });
}
