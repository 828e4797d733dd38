import { MAX_DOCUMENT_BYTES } from '../language/encode.js';
import { refuse } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { sessionMinutes } from '../sessions/session-table.js';
import { maxMessageBytes } from '../wire/frames.js';
import type { Reply } from '../wire/replies.js';
import { authenticationOffer } from './authentication.js';
import { maxBatchSize } from './batch.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { documentField, list, optionalDocument, optionalNumber } from './fields.js';

/** The server that this engine behaves as. */
export const version = '8.0.4';
const versionArray = [8, 0, 4, 0];
const maxWireVersion = 25;

function helloReply(context: Context): Document {
  const { address, processId } = context.engine.identity;
  return {
    isWritablePrimary: true,
    secondary: false,
    setName: 'rs0',
    setVersion: 1,
    me: address,
    primary: address,
    hosts: [address],
    topologyVersion: { processId, counter: 1n },
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: maxMessageBytes,
    maxWriteBatchSize: maxBatchSize,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: sessionMinutes,
    connectionId: context.client.id,
    minWireVersion: 0,
    maxWireVersion,
    readOnly: false,
    ok: 1,
  };
}

/** `hello`. With `topologyVersion` and `maxAwaitTimeMS` the answer waits, since the topology of one node does not change. */
export const hello: Command = {
  options: [
    'helloOk',
    'client',
    'compression',
    'saslSupportedMechs',
    'speculativeAuthenticate',
    'topologyVersion',
    'maxAwaitTimeMS',
    'backpressure',
  ],
  run(context: Context): Reply | Promise<Reply> {
    const { body, client, engine } = context;
    const application = optionalDocument(documentField(body, 'client'), 'application')?.['name'];
    if (typeof application === 'string') client.appName = application;
    const known = { ...helloReply(context), ...authenticationOffer(context) };
    const reply = context.name === 'hello' ? known : { ...known, ismaster: true, helloOk: true };
    const wait = optionalNumber(body, 'maxAwaitTimeMS');
    const topology = optionalDocument(body, 'topologyVersion')?.['counter'];
    if (wait === undefined || topology !== 1n) return reply;
    return engine.untilStopping(wait).then(() => reply);
  },
};

export const ping: Command = { options: [], run: () => ok() };

export const buildInfo: Command = {
  options: [],
  run: () =>
    ok({
      version,
      versionArray,
      gitVersion: 'tautan',
      modules: [],
      bits: 64,
      debug: false,
      maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    }),
};

export const serverStatus: Command = { options: [], run: ({ engine }) => ok(engine.status()) };

/** `getParameter` of the only parameter there is. */
export const getParameter: Command = {
  options: ['transactionLifetimeLimitSeconds'],
  admin: true,
  run({ body, engine }) {
    if (body['getParameter'] !== 1) refuse('getParameter of all parameters');
    return ok({ transactionLifetimeLimitSeconds: engine.sessions.transactionLifetimeLimitSeconds });
  },
};

export const endSessions: Command = {
  options: [],
  // Drivers send it with `w: 0` when they close.
  write: true,
  run({ body, engine }) {
    for (const lsid of list(body, 'endSessions')) engine.endSession(lsid);
    return ok();
  },
};

export const killAllSessions: Command = {
  options: [],
  run({ body, engine }) {
    if (list(body, 'killAllSessions').length > 0) refuse('killAllSessions of named users');
    engine.killAllSessions();
    return ok();
  },
};

export const configureFailPoint: Command = {
  options: ['mode', 'data'],
  admin: true,
  run({ body, engine }) {
    engine.failPoints.configure(String(body['configureFailPoint']), body['mode'], documentField(body, 'data'));
    return ok();
  },
};
