import type { Engine } from '../engine.js';
import { fail, MongoError, unsupported } from '../language/errors.js';
import { isNumeric, toNumber, type Document } from '../language/values.js';
import { enterSession } from '../sessions/enter.js';
import { Blocked } from '../storage/conflicts.js';
import type { Request } from '../wire/messages.js';
import type { Command } from './command.js';
import { checkReadConcern, checkWriteConcern, concernLabelsFor, labelsFor } from './concerns.js';
import { Context, writeConflict, type Client } from './context.js';
import { CloseConnection, failBefore, type Failure } from './fail-points.js';
import { commands } from './table.js';

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

/** Runs a command. Rejects (or throws) only with CloseConnection; other failures are replies. */
export function dispatch(engine: Engine, client: Client, { body }: Request): Document | Promise<Document> {
  const name = Object.keys(body)[0] ?? '';
  const limit = body['maxTimeMS'];
  const deadline = isNumeric(limit) && toNumber(limit) > 0 ? Date.now() + toNumber(limit) : Infinity;
  const context = new Context(engine, client, name, body, String(body['$db']), deadline);
  try {
    if (!Object.hasOwn(commands, name))
      fail('CommandNotFound', `the command '${name}' is not supported by this engine`);
    const command = commands[name]!;
    const failure = engine.failPoints.failureFor(name, client);
    if (failure) return executeWithFailPoint(context, command, failure);
    const reply = execute(context, command);
    return reply instanceof Promise ? reply.catch((error: unknown) => failureReply(context, error)) : reply;
  } catch (error) {
    return failureReply(context, error);
  }
}

async function executeWithFailPoint(context: Context, command: Command, failure: Failure): Promise<Document> {
  const { writeConcernError, labels } = failure;
  try {
    await failBefore(failure);
    const reply = await execute(context, command);
    return writeConcernError ? withConcernError(context, reply, writeConcernError, labels) : reply;
  } catch (error) {
    return failureReply(context, error, labels);
  }
}

function execute(context: Context, command: Command): Document | Promise<Document> {
  check(context, command);
  enterSession(context, command);
  // A client may disconnect while a fail point blocks. As in MongoDB, only reads are interrupted.
  if (context.client.closed && command.read)
    fail('ClientDisconnect', 'operation was interrupted because a client disconnected');
  const concernError = checkWriteConcern(context, command);
  const reply = command.run(context);
  return reply instanceof Promise ? whenDurable(context, reply, concernError) : reply;
}

async function whenDurable(
  context: Context,
  pending: Promise<Document>,
  concernError: Document | undefined,
): Promise<Document> {
  const reply = await pending;
  await context.persist();
  if (context.closeAfterwards) throw new CloseConnection();
  if (context.transaction && context.failed) context.engine.sessions.abort(context.session!);
  return concernError ? withConcernError(context, reply, concernError) : reply;
}

function check(context: Context, command: Command): void {
  const { name, body, db } = context;
  if (!/^[^\0/\\. "$*<>:|?]{1,63}$/.test(db) || typeof body['$db'] !== 'string')
    fail('InvalidNamespace', `Invalid database name: '${db}'`);
  for (const option of Object.keys(body)) {
    if (option !== name && !genericOptions.includes(option) && !command.options?.includes(option))
      unsupported(`the option '${option}' of ${name}`);
  }
  const { maxTimeMS = 0 } = body;
  if (!isNumeric(maxTimeMS) || toNumber(maxTimeMS) < 0 || toNumber(maxTimeMS) > 2_147_483_647)
    fail('BadValue', 'the value of maxTimeMS is out of range');
  if (command.admin && db !== 'admin') fail('Unauthorized', `${name} may only be run against the admin database.`);
  checkReadConcern(context, command);
}

/** Aborts the transaction and returns the reply for a failure. */
function failureReply(context: Context, thrown: unknown, labels?: string[]): Document {
  if (thrown instanceof CloseConnection) throw thrown;
  const error = thrown instanceof Blocked ? writeConflict() : thrown;
  if (context.transaction) context.engine.sessions.abort(context.session!);
  else void context.persist()?.catch(() => undefined);
  if (!(error instanceof MongoError)) return context.engine.internalError(context.name, error);
  const errorLabels = labels ?? labelsFor(context, error.code);
  return { ...error.reply, ...(errorLabels.length > 0 && { errorLabels }) };
}

function withConcernError(context: Context, reply: Document, writeConcernError: Document, labels?: string[]): Document {
  const errorLabels = labels ?? concernLabelsFor(context, toNumber(writeConcernError['code']));
  const fields = { writeConcernError, ...(errorLabels.length > 0 && { errorLabels }) };
  return { ...reply, ...fields };
}
