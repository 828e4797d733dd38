import { fail } from '../errors.js';
import { show } from '../show.js';
import { encode } from '../encode.js';
import { Binary } from 'bson';
import { copyDocument, type Document, documentOf, isDocument, newDocument, typeName } from '../values.js';
import { isNullish, named, namedOperands, type OperatorReader, type OperatorTable, unary, variadic } from './args.js';

function merge(documents: unknown[]): unknown {
  const result = newDocument();
  for (const document of documents) {
    if (isNullish(document)) continue;
    if (!isDocument(document))
      return fail(
        40400,
        `$mergeObjects requires object inputs, but input ${show(document)} is of type ${typeName(document)}`,
      );
    Object.assign(result, document);
  }
  return result;
}

function toPairs(document: unknown): unknown {
  if (isNullish(document)) return null;
  if (!isDocument(document))
    return fail(40390, `$objectToArray requires a document input, found: ${typeName(document)}`);
  return Object.entries(document).map(([k, v]) => documentOf({ k, v }));
}

function fromPairs(array: unknown): unknown {
  if (isNullish(array)) return null;
  if (!Array.isArray(array)) return fail(40386, `$arrayToObject requires an array input, found: ${typeName(array)}`);
  const result = newDocument();
  for (const pair of array as unknown[]) {
    const [key, value] = Array.isArray(pair)
      ? (pair as unknown[])
      : isDocument(pair)
        ? keyAndValue(pair)
        : fail(40398, `Unrecognised input type format for $arrayToObject: ${typeName(pair)}`);
    result[fieldName(key)] = value ?? null;
  }
  return result;
}

function keyAndValue(pair: Document): [unknown, unknown] {
  if (Object.keys(pair).length !== 2 || !('k' in pair) || !('v' in pair)) {
    fail(40392, "$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys");
  }
  return [pair.k, pair.v];
}

function fieldName(key: unknown): string {
  if (typeof key !== 'string')
    return fail(
      40395,
      `$arrayToObject requires an array of key-value pairs, where the key must be of type string. Found key type: ${typeName(key)}`,
    );
  return key.includes('\0') ? fail(4940400, 'Key field cannot contain an embedded null byte') : key;
}

const getField: OperatorReader = (operand, reader) => {
  const { field, input } =
    isDocument(operand) && 'field' in operand
      ? namedOperands(operand, '$getField', ['field', 'input'], [])
      : { field: operand, input: '$$CURRENT' };
  // A plain name is itself, dots and dollars included; `$literal` says so where it begins with a dollar.
  const name = reader.parse(field);
  const from = reader.parse(input);
  return (root, variables) => {
    const key = name(root, variables);
    if (typeof key !== 'string')
      fail(3041704, `$getField requires 'field' to evaluate to type String, but got ${typeName(key)}`);
    const document = from(root, variables);
    if (isNullish(document)) return document;
    return isDocument(document) ? document[key] : undefined;
  };
};

function setField({ field, input, value }: Document): unknown {
  if (isNullish(input)) return null;
  if (!isDocument(input)) return fail(4161105, `$setField requires 'input' to evaluate to type Object`);
  if (typeof field !== 'string') return fail(4161107, `$setField requires 'field' to evaluate to type String`);
  const result = copyDocument(input);
  if (value === undefined) delete result[field];
  else result[field] = value;
  return result;
}

export const OBJECTS: OperatorTable = {
  $mergeObjects: (operand, reader, name) => {
    // One operand that is an array gives the documents to merge.
    if (Array.isArray(operand)) return variadic(merge)(operand, reader, name);
    return unary((value) => merge(Array.isArray(value) ? (value as unknown[]) : [value]))(operand, reader, name);
  },
  $objectToArray: unary(toPairs),
  $arrayToObject: unary(fromPairs),
  $getField: getField,
  $setField: named(['field', 'input', 'value'], [], setField),
  $unsetField: named(['field', 'input'], [], ({ field, input }) => setField({ field, input, value: undefined })),
  $bsonSize: unary((value) => {
    if (isNullish(value)) return null;
    return isDocument(value)
      ? encode(value).length
      : fail(31393, `$bsonSize requires a document input, found: ${typeName(value)}`);
  }),
  $binarySize: unary((value) => {
    if (isNullish(value)) return null;
    if (typeof value === 'string') return Buffer.byteLength(value);
    return value instanceof Binary
      ? value.position
      : fail(51276, `$binarySize requires a string or BinData argument, found: ${typeName(value)}`);
  }),
};
