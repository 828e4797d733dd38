import type { Command } from '../commands/command.js';
import type { Context } from '../commands/context.js';
import { fail } from '../language/errors.js';
import type { Document } from '../language/values.js';
import type { Transaction } from '../storage/unit.js';
import type { Session } from './sessions.js';

const invalid = (message: string): never => fail('InvalidOptions', message);

export const endsTransaction = (name: string): boolean => name === 'commitTransaction' || name === 'abortTransaction';

/** Enters the session of `lsid`, and the transaction or retryable write of `txnNumber` and `autocommit`, if any. */
export function enterSession(context: Context, command: Command): void {
  const { body, engine, name } = context;
  const txnNumber = txnNumberOf(body);
  if (body['lsid'] === undefined) {
    if (txnNumber !== undefined) invalid('Transaction number requires a session ID to also be specified');
    if (endsTransaction(name)) invalid(`${name} must be run within a transaction`);
    return;
  }
  const session = (context.session = engine.sessions.of(body['lsid']));
  if (body['autocommit'] === undefined) {
    if (body['startTransaction'] !== undefined)
      invalid("'startTransaction' field requires 'autocommit' field to also be specified");
    if (endsTransaction(name)) fail(50768, `${name} must be run within a transaction`);
    if (txnNumber !== undefined) enterRetryable(context, session, txnNumber, command);
    return;
  }
  if (body['autocommit'] !== false) invalid('Specifying autocommit=true is not allowed.');
  if (txnNumber === undefined) return invalid("'autocommit' field requires a transaction number to also be specified");
  enterTransaction(context, session, txnNumber, command);
}

function txnNumberOf({ txnNumber: value }: Document): bigint | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'number' ? BigInt(value) : value;
  return typeof number === 'bigint' && number >= 0n ? number : invalid("'txnNumber' must be a non-negative number");
}

function refuseOlder(session: Session, txnNumber: bigint): void {
  if (txnNumber >= session.txnNumber) return;
  const newer = `a newer one, ${session.txnNumber}, has started on this session`;
  fail('TransactionTooOld', `Cannot use txnNumber ${txnNumber} because ${newer}`);
}

function enterRetryable(context: Context, session: Session, txnNumber: bigint, { retryable }: Command): void {
  if (!retryable)
    fail(50768, 'txnNumber may only be provided for multi-document transactions and retryable write commands');
  refuseOlder(session, txnNumber);
  if (txnNumber > session.txnNumber) advance(context, session, txnNumber);
  else if (session.state !== 'none') fail(50768, `txnNumber ${txnNumber} was used for a transaction`);
  context.retryableTxnNumber = txnNumber;
}

/** Advances a session to its next transaction or retryable write. Aborts the previous transaction if it is open. */
function advance({ engine }: Context, session: Session, txnNumber: bigint): void {
  engine.sessions.abort(session);
  session.resetTo(txnNumber);
}

function enterTransaction(context: Context, session: Session, txnNumber: bigint, { transactional }: Command): void {
  const { body, name } = context;
  const ends = endsTransaction(name);
  if (!transactional && !ends)
    fail('OperationNotSupportedInTransaction', `Cannot run '${name}' in a multi-document transaction.`);
  if (body['writeConcern'] !== undefined && !ends)
    invalid('writeConcern is not allowed within a multi-statement transaction');
  const { startTransaction: starts } = body;
  if (starts !== undefined && starts !== true) invalid('Specifying startTransaction=false is not allowed.');
  if (body['readConcern'] !== undefined && !starts)
    invalid('Only the first command in a transaction may specify a readConcern');
  refuseOlder(session, txnNumber);
  if (starts && ends) invalid(`Cannot start a transaction with ${name}`);
  if (starts) context.transaction = start(context, session, txnNumber);
  else if (!ends) context.transaction = requireOpenTransaction(session, txnNumber);
}

function start(context: Context, session: Session, txnNumber: bigint): Transaction {
  if (txnNumber === session.txnNumber && (session.state !== 'none' || session.statements.length > 0))
    fail('ConflictingOperationInProgress', `Transaction ${txnNumber} is in progress or was used on this session`);
  const level = (context.body['readConcern'] as Document | undefined)?.['level'];
  if (!['local', 'majority', 'snapshot', undefined].includes(level as string))
    invalid("The readConcern level of a transaction must be 'local' (default), 'majority' or 'snapshot'");
  advance(context, session, txnNumber);
  const { sessions, store } = context.engine;
  session.state = 'open';
  session.expiresAt = performance.now() + sessions.lifetimeSeconds * 1000;
  return (session.transaction = store.begin());
}

/** Returns the open transaction with this number. Throws NoSuchTransaction or TransactionCommitted if there is none. */
export function requireOpenTransaction(session: Session, txnNumber: bigint): Transaction {
  const description = `Transaction with { txnNumber: ${txnNumber} }`;
  if (txnNumber > session.txnNumber)
    fail('NoSuchTransaction', `${description} has not started; the session's last txnNumber is ${session.txnNumber}`);
  if (session.state === 'committed') fail('TransactionCommitted', `${description} has been committed.`);
  return session.transaction ?? fail('NoSuchTransaction', `${description} has been aborted.`);
}
