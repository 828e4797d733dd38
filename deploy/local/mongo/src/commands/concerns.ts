import { fail, MongoError, unsupported, show } from '../language/errors.js';
import { isDocument, isNumeric, toNumber, type Document } from '../language/values.js';
import { endsTransaction } from '../sessions/enter.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { checkKeys } from './fields.js';

export const concernKeys = { readConcern: ['level'], writeConcern: ['w', 'j', 'wtimeout'] } as const;

const LEVELS = new Set(['local', 'majority', 'available', 'linearizable', 'snapshot']);

const failToParse = (message: string): never => fail('FailedToParse', message);

function concernOf(body: Document, name: keyof typeof concernKeys): Document | undefined {
  const concern = body[name];
  if (concern === undefined) return undefined;
  if (!isDocument(concern)) return failToParse(`${name} must be a document`);
  checkKeys(concern, concernKeys[name], name);
  return concern;
}

/** Checks `readConcern`. On one node, all levels but `snapshot` are equivalent. */
export function checkReadConcern({ body, name }: Context, command: Command): void {
  const level = concernOf(body, 'readConcern')?.['level'];
  if (level === undefined || body['autocommit'] === false) return;
  if (typeof level !== 'string' || !LEVELS.has(level))
    return failToParse(`readConcern level '${show(level)}' is not known`);
  if (!command.read && level !== 'local')
    fail('InvalidOptions', `Command ${name} does not support readConcern level ${level}`);
  if (level === 'snapshot') unsupported("readConcern level 'snapshot' outside of transactions");
}

/** Checks `writeConcern`. Returns a `writeConcernError` if a single node cannot satisfy it. */
export function checkWriteConcern({ body, name }: Context, command: Command): Document | undefined {
  const concern = concernOf(body, 'writeConcern');
  if (!concern) return undefined;
  const { w = 1, j = true, wtimeout = 0 } = concern;
  for (const value of [j, wtimeout])
    if (typeof value !== 'boolean' && !isNumeric(value)) failToParse('j and wtimeout must be numeric or boolean');
  if (!command.write) fail('InvalidOptions', `Command ${name} does not support writeConcern`);
  if (w === 'majority') return undefined;
  if (typeof w === 'string') return concernError('UnknownReplWriteConcern', `No write concern mode named '${w}' found`);
  const nodes = toNumber(w);
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > 50)
    failToParse('w has to be a number >= 0 and <= 50, or a string');
  return nodes <= 1 ? undefined : concernError('UnsatisfiableWriteConcern', 'Not enough data-bearing nodes');
}

function concernError(...failure: ConstructorParameters<typeof MongoError>): Document {
  const { code, codeName, message: errmsg } = new MongoError(...failure);
  return { code, codeName, errmsg };
}

/** Errors after which the driver may retry a write. */
const RETRYABLE = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Errors after which the client may retry the whole transaction. */
const TRANSIENT = new Set([24, 112, 246, 251, 267]);

/** Returns the labels that the server adds to an error of this command. */
export function labelsFor({ name, body }: Context, code: number): string[] {
  const labels = concernLabelsFor({ name, body }, code);
  const isTransient = TRANSIENT.has(code) || (!endsTransaction(name) && RETRYABLE.has(code));
  if (body['autocommit'] === false && isTransient) labels.push('TransientTransactionError');
  return labels;
}

/**
 * Returns the labels of a write concern error. The write itself was executed, so the error is never labeled
 * TransientTransactionError.
 */
export function concernLabelsFor({ name, body }: Pick<Context, 'name' | 'body'>, code: number): string[] {
  const isRetryableWrite =
    endsTransaction(name) || (body['autocommit'] === undefined && body['txnNumber'] !== undefined);
  return isRetryableWrite && RETRYABLE.has(code) ? ['RetryableWriteError'] : [];
}
