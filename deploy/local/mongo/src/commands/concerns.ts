import { fail, refuse } from '../language/errors.js';
import { isDocument, isNumeric, toNumber, type Document } from '../language/values.js';
import type { Command } from './command.js';
import { checkKeys } from './fields.js';

/** The fields of the concerns. */
export const concernKeys = { readConcern: ['level'], writeConcern: ['w', 'j', 'wtimeout'] } as const;

const levels = new Set(['local', 'majority', 'available', 'linearizable', 'snapshot']);

const parse = (message: string): never => {
  fail('FailedToParse', message);
};

/**
 * Checks `readConcern`. On one node whatever is committed is what the majority has, so that the levels local, majority,
 * available and linearizable are the same.
 */
export function checkReadConcern(body: Document, command: Command, name: string): void {
  const concern = body['readConcern'];
  if (concern === undefined) return;
  if (!isDocument(concern)) return parse('readConcern must be a document');
  checkKeys(concern, concernKeys.readConcern, 'readConcern');
  const level = concern['level'];
  if (level === undefined || body['autocommit'] === false) return;
  if (typeof level !== 'string' || !levels.has(level))
    return parse(`readConcern level '${typeof level === 'string' ? level : typeof level}' is not known`);
  if (!command.read && level !== 'local')
    fail('InvalidOptions', `Command ${name} does not support { readConcern: { level: "${level}" } }`);
  if (level === 'snapshot') refuse("readConcern level 'snapshot' outside of transactions");
}

/** Checks `writeConcern`; answers the `writeConcernError` of one that a single node cannot satisfy. */
export function checkWriteConcern(body: Document, writes: boolean, name: string): Document | undefined {
  const concern = body['writeConcern'];
  if (concern === undefined) return undefined;
  if (!isDocument(concern)) return parse('writeConcern must be a document');
  checkKeys(concern, concernKeys.writeConcern, 'writeConcern');
  for (const key of ['j', 'wtimeout']) {
    const value = concern[key];
    if (value !== undefined && typeof value !== 'boolean' && !isNumeric(value))
      return parse(`${key} must be numeric or boolean`);
  }
  if (!writes) fail('InvalidOptions', `Command ${name} does not support writeConcern`);
  return unsatisfied(concern['w']);
}

function unsatisfied(w: unknown): Document | undefined {
  if (w === undefined || w === 'majority') return undefined;
  if (typeof w === 'string')
    return {
      code: 79,
      codeName: 'UnknownReplWriteConcern',
      errmsg: `No write concern mode named '${w}' found in replica set configuration`,
    };
  if (!isNumeric(w) || toNumber(w) < 0 || toNumber(w) > 50 || !Number.isInteger(toNumber(w)))
    return parse('w has to be a number >= 0 and <= 50, or a string');
  if (toNumber(w) <= 1) return undefined;
  return { code: 100, codeName: 'UnsatisfiableWriteConcern', errmsg: 'Not enough data-bearing nodes' };
}
