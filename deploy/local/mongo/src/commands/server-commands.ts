import { MAX_DOCUMENT_BYTES } from '../language/encode.js';
import { unsupported } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { SESSION_MINUTES } from '../sessions/sessions.js';
import { maxMessageBytes } from '../wire/frames.js';
import { ok, type Command, type CommandTable } from './command.js';
import type { Context } from './context.js';
import { documentField, list, optionalDocument, optionalNumber, text } from './fields.js';
import { MAX_BATCH_SIZE } from './writes.js';

/** The server version that this engine emulates and reports. */
export const version = '8.0.4';

function helloReply({ engine, client }: Context): Document {
  const { address, processId } = engine.identity;
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
    maxWriteBatchSize: MAX_BATCH_SIZE,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: SESSION_MINUTES,
    connectionId: client.id,
    minWireVersion: 0,
    maxWireVersion: 25,
    readOnly: false,
    ok: 1,
  };
}

const hello: Command = {
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
  run(context) {
    const { body, client, engine, name } = context;
    const application = optionalDocument(optionalDocument(body, 'client') ?? {}, 'application')?.['name'];
    if (typeof application === 'string') client.appName = application;
    const legacy = name === 'ismaster' && { ismaster: true, helloOk: true };
    const reply = { ...helloReply(context), ...legacy };
    const wait = optionalNumber(body, 'maxAwaitTimeMS');
    const isKnown = optionalDocument(body, 'topologyVersion')?.['counter'] === 1n;
    // The topology of one node never changes, so a client that waits for a change waits for the full time.
    return wait === undefined || !isKnown ? reply : engine.untilStopping(wait).then(() => reply);
  },
};

export const serverCommands: CommandTable = {
  hello,
  ismaster: hello,

  ping: { run: () => ok() },

  buildInfo: {
    run() {
      const versionArray = [...version.split('.').map(Number), 0];
      return ok({ version, versionArray, bits: 64, debug: false, maxBsonObjectSize: MAX_DOCUMENT_BYTES });
    },
  },

  serverStatus: { run: ({ engine }) => ok({ version, metrics: { cursor: { open: { total: engine.cursors.size } } } }) },

  getParameter: {
    options: ['transactionLifetimeLimitSeconds'],
    admin: true,
    run({ body, engine }) {
      if (body['getParameter'] !== 1) unsupported('getParameter of all parameters');
      return ok({ transactionLifetimeLimitSeconds: engine.sessions.lifetimeSeconds });
    },
  },

  endSessions: {
    // A closing client sends this command with the write concern `w: 0`. `write` makes the command accept it.
    write: true,
    run({ body, engine }) {
      for (const lsid of list(body, 'endSessions')) engine.sessions.end(lsid);
      return ok();
    },
  },

  killAllSessions: {
    run({ body, engine }) {
      if (list(body, 'killAllSessions').length > 0) unsupported('killAllSessions of named users');
      engine.killAllSessions();
      return ok();
    },
  },

  configureFailPoint: {
    options: ['mode', 'data'],
    admin: true,
    run({ body, engine }) {
      engine.failPoints.configure(text(body, 'configureFailPoint'), body['mode'], documentField(body, 'data'));
      return ok();
    },
  },
};
