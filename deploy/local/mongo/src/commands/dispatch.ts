import type { Engine } from '../engine.js';
import { fail, MongoError, refuse } from '../language/errors.js';
import { isNumeric, toNumber, type Document } from '../language/values.js';
import { enterSession } from '../sessions/enter.js';
import { abort } from '../sessions/session-table.js';
import { Blocked } from '../storage/conflicts.js';
import type { Request } from '../wire/messages.js';
import { CursorReply, type Reply } from '../wire/replies.js';
import { checkAuthenticated } from './authentication.js';
import type { Command } from './command.js';
import { checkReadConcern, checkWriteConcern } from './concerns.js';
import { checkedDb, Context, writeConflict, type Client } from './context.js';
import { CloseConnection, suffer, type Failure } from './fail-points.js';
import { concernLabelsFor, labelsFor } from './labels.js';
import { commands } from './table.js';

/** Options that every command takes. */
export const genericOptions = [
  '$db',
  'lsid',
  'txnNumber',
  'startTransaction',
  'autocommit',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
];

/** Runs a command. Rejects (or throws) CloseConnection only; any other failure is a reply. */
export function dispatch(engine: Engine, client: Client, request: Request): Reply | Promise<Reply> {
  const { body } = request;
  const name = Object.keys(body)[0] ?? '';
  const context = new Context(engine, client, name, body, String(body['$db']), deadlineOf(body));
  let failure: Failure | undefined;
  try {
    const command = commandNamed(name);
    failure = engine.failPoints.failureFor(name, client);
    if (failure) return failing(context, command, failure);
    const reply = execute(context, command);
    return reply instanceof Promise ? reply.catch((error: unknown) => failed(context, error)) : reply;
  } catch (error) {
    return failed(context, error);
  }
}

function commandNamed(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command ?? fail('CommandNotFound', `the command '${name}' is not supported by this engine`);
}

function deadlineOf(body: Document): number {
  const limit = body['maxTimeMS'];
  return isNumeric(limit) && toNumber(limit) > 0 ? Date.now() + toNumber(limit) : Infinity;
}

async function failing(context: Context, command: Command, failure: Failure): Promise<Reply> {
  try {
    await suffer(failure);
    const reply = await execute(context, command);
    return failure.writeConcernError
      ? withConcernError(context, reply, failure.writeConcernError, failure.labels)
      : reply;
  } catch (error) {
    return failed(context, error, failure.labels);
  }
}

function execute(context: Context, command: Command): Reply | Promise<Reply> {
  const { name, body } = context;
  checkAuthenticated(context);
  check(context, command);
  const ends = name === 'commitTransaction' || name === 'abortTransaction';
  enterSession(context, { transactional: command.transactional ?? false, retryable: command.retryable ?? false, ends });
  // As on a server: a disconnect interrupts reads only. A client can be gone after a fail point that blocks.
  if (context.client.closed && command.read && !command.write)
    fail('ClientDisconnect', 'operation was interrupted because a client disconnected');
  const concernError = checkWriteConcern(body, command.write ?? false, name);
  const reply = command.run(context);
  if (!(reply instanceof Promise)) return reply;
  return finish(context, reply, concernError);
}

/** Waits for what was written to be durable; the answer must not come before. */
async function finish(context: Context, pending: Promise<Reply>, concernError: Document | undefined): Promise<Reply> {
  const reply = await pending;
  await context.durable();
  if (context.closeAfterwards) throw new CloseConnection();
  if (context.inTransaction && context.failed) abort(context.session!, context.engine.store);
  return concernError ? withConcernError(context, reply, concernError) : reply;
}

function check(context: Context, command: Command): void {
  const { name, body } = context;
  checkedDb(body['$db']);
  for (const option of Object.keys(body)) {
    if (option === name || genericOptions.includes(option) || command.options.includes(option)) continue;
    refuse(`the option '${option}' of ${name}`);
  }
  const limit = body['maxTimeMS'];
  if (limit !== undefined && (!isNumeric(limit) || toNumber(limit) < 0 || toNumber(limit) > 2_147_483_647))
    fail('BadValue', 'the value of maxTimeMS is out of range');
  if (command.admin && body['$db'] !== 'admin')
    fail('Unauthorized', `${name} may only be run against the admin database.`);
  checkReadConcern(body, command, name);
}

/** The reply for a failure. A transaction does not survive one. */
function failed(context: Context, thrown: unknown, labels?: string[]): Document {
  if (thrown instanceof CloseConnection) throw thrown;
  const error = thrown instanceof Blocked ? writeConflict() : thrown;
  if (context.inTransaction) abort(context.session!, context.engine.store);
  else void context.durable()?.catch(() => undefined);
  if (!(error instanceof MongoError)) return context.engine.unexpected(context.name, error);
  const errorLabels = labels ?? [...(error.errorLabels ?? []), ...labelsFor(context, error.code)];
  return {
    ok: 0,
    errmsg: error.message,
    code: error.code,
    codeName: error.codeName,
    ...error.extra,
    ...(errorLabels.length > 0 && { errorLabels }),
  };
}

function withConcernError(context: Context, reply: Reply, writeConcernError: Document, labels?: string[]): Reply {
  const errorLabels = labels ?? concernLabelsFor(context, toNumber(writeConcernError['code']));
  const fields = { writeConcernError, ...(errorLabels.length > 0 && { errorLabels }) };
  if (!(reply instanceof CursorReply)) return { ...reply, ...fields };
  reply.extra = { ...fields, ...reply.extra };
  return reply;
}
