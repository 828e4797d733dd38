import type { Context } from '../commands/context.js';
import { fail } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { abort } from './session-table.js';
import type { Session } from './session.js';

/** What the command at hand may do in a session. */
export interface SessionUse {
  transactional: boolean;
  retryable: boolean;
  /** It is `commitTransaction` or `abortTransaction`. */
  ends: boolean;
}

const levelsInTransactions = new Set(['local', 'majority', 'snapshot', undefined]);

const invalid = (message: string): never => {
  fail('InvalidOptions', message);
};

/** Puts the command into its session, its transaction or its retryable write, as `lsid`, `txnNumber` and `autocommit` say. */
export function enterSession(context: Context, use: SessionUse): void {
  const { body, engine } = context;
  const txnNumber = txnNumberOf(body);
  if (body['lsid'] === undefined) {
    if (txnNumber !== undefined) invalid('Transaction number requires a session ID to also be specified');
    if (use.ends) invalid(`${context.name} must be run within a transaction`);
    return;
  }
  context.session = engine.sessions.of(body['lsid']);
  if (body['autocommit'] === undefined) {
    if (body['startTransaction'] !== undefined)
      invalid("'startTransaction' field requires 'autocommit' field to also be specified");
    if (use.ends) fail(50768, `${context.name} must be run within a transaction`);
    if (txnNumber !== undefined) enterRetryable(context, context.session, txnNumber, use);
    return;
  }
  if (body['autocommit'] !== false) invalid('Specifying autocommit=true is not allowed.');
  if (txnNumber === undefined) return invalid("'autocommit' field requires a transaction number to also be specified");
  enterTransaction(context, context.session, txnNumber, use);
}

function txnNumberOf(body: Document): bigint | undefined {
  const value = body['txnNumber'];
  if (value === undefined) return undefined;
  const number = typeof value === 'number' ? BigInt(value) : value;
  if (typeof number !== 'bigint' || number < 0n)
    fail('InvalidOptions', "'txnNumber' must be a number that is not negative");
  return number;
}

function refuseOlder(session: Session, txnNumber: bigint): void {
  if (txnNumber >= session.txnNumber) return;
  fail(
    'TransactionTooOld',
    `Cannot use txnNumber ${txnNumber} because a newer one, ${session.txnNumber}, has started on this session`,
  );
}

function enterRetryable(context: Context, session: Session, txnNumber: bigint, use: SessionUse): void {
  if (!use.retryable)
    fail(50768, 'txnNumber may only be provided for multi-document transactions and retryable write commands');
  refuseOlder(session, txnNumber);
  if (txnNumber > session.txnNumber) turnTo(context, session, txnNumber);
  else if (session.state !== 'none') fail(50768, `txnNumber ${txnNumber} was used for a transaction`);
  context.retryNumber = txnNumber;
}

function turnTo({ engine }: Context, session: Session, txnNumber: bigint): void {
  abort(session, engine.store);
  session.turnTo(txnNumber);
}

function enterTransaction(context: Context, session: Session, txnNumber: bigint, use: SessionUse): void {
  const { body } = context;
  if (!use.transactional && !use.ends)
    fail('OperationNotSupportedInTransaction', `Cannot run '${context.name}' in a multi-document transaction.`);
  if (body['writeConcern'] !== undefined && !use.ends)
    invalid('writeConcern is not allowed within a multi-statement transaction');
  const starts = body['startTransaction'];
  if (starts !== undefined && starts !== true) invalid('Specifying startTransaction=false is not allowed.');
  if (body['readConcern'] !== undefined && starts !== true)
    invalid('Only the first command in a transaction may specify a readConcern');
  refuseOlder(session, txnNumber);
  if (starts === true) return start(context, session, txnNumber, use);
  if (use.ends) return;
  context.enter(openTransaction(session, txnNumber));
}

function start(context: Context, session: Session, txnNumber: bigint, use: SessionUse): void {
  if (use.ends) invalid(`Cannot start a transaction with ${context.name}`);
  if (txnNumber === session.txnNumber && (session.state !== 'none' || session.statements.length > 0))
    fail(
      'ConflictingOperationInProgress',
      `Transaction ${txnNumber} is already in progress or was used on this session`,
    );
  const level = (context.body['readConcern'] as Document | undefined)?.['level'] as string | undefined;
  if (!levelsInTransactions.has(level))
    invalid(
      `The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction`,
    );
  turnTo(context, session, txnNumber);
  session.state = 'open';
  const { sessions, store } = context.engine;
  session.expiresAt = performance.now() + sessions.transactionLifetimeLimitSeconds * 1000;
  session.unit = store.begin();
  context.enter(session.unit);
}

/** The open transaction with this number. Errors 251 and 256 when it is not open. */
export function openTransaction(session: Session, txnNumber: bigint): NonNullable<Session['unit']> {
  if (txnNumber > session.txnNumber)
    fail(
      'NoSuchTransaction',
      `Given transaction number ${txnNumber} does not match any in-progress transactions. The active transaction number is ${session.txnNumber}`,
    );
  if (session.state === 'committed')
    fail('TransactionCommitted', `Transaction with { txnNumber: ${txnNumber} } has been committed.`);
  if (!session.unit) fail('NoSuchTransaction', `Transaction with { txnNumber: ${txnNumber} } has been aborted.`);
  return session.unit;
}
