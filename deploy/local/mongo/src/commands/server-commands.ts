import { MongoError } from '../language/errors.js';
import { type Document } from '../language/values.js';
import { sessionMinutes } from '../sessions/session-table.js';
import { maxMessageBytes } from '../wire/frames.js';
import type { Reply } from '../wire/replies.js';
import { authenticationOffer } from './authentication.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { list, optionalDocument, optionalNumber } from './fields.js';

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
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: maxMessageBytes,
    maxWriteBatchSize: 100_000,
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
    'loadBalanced',
    'saslSupportedMechs',
    'speculativeAuthenticate',
    'topologyVersion',
    'maxAwaitTimeMS',
    'hostInfo',
    'backpressure',
  ],
  run(context: Context): Reply | Promise<Reply> {
    const { body, client, engine } = context;
    const application = (optionalDocument(body, 'client')?.['application'] as Document | undefined)?.['name'];
    if (typeof application === 'string') client.appName = application;
    const known = { ...helloReply(context), ...authenticationOffer(context) };
    const reply = context.name === 'hello' ? known : { ...known, ismaster: true, helloOk: true };
    const wait = optionalNumber(body, 'maxAwaitTimeMS');
    const topology = optionalDocument(body, 'topologyVersion')?.['counter'];
    if (wait === undefined || topology !== 1n) return reply;
    return engine.untilStopping(wait).then(() => reply);
  },
};

export const ping: Command = { options: [], transactional: false, run: () => ok() };

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
      maxBsonObjectSize: 16 * 1024 * 1024,
      storageEngines: ['append-log'],
    }),
};

export const serverStatus: Command = {
  options: [
    'repl',
    'metrics',
    'locks',
    'tcmalloc',
    'wiredTiger',
    'opcounters',
    'connections',
    'mem',
    'network',
    'asserts',
    'extra_info',
    'sharding',
    'transactions',
  ],
  run: ({ engine }) => ok(engine.status()),
};

export const connectionStatus: Command = {
  options: ['showPrivileges'],
  run: () => ok({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } }),
};

export const whatsmyuri: Command = { options: [], run: ({ client }) => ok({ you: client.address }) };

export const replSetGetStatus: Command = {
  options: ['initialSync'],
  admin: true,
  run: ({ engine }) =>
    ok({
      set: 'rs0',
      date: new Date(),
      myState: 1,
      term: 1n,
      members: [
        {
          _id: 0,
          name: engine.identity.address,
          health: 1,
          state: 1,
          stateStr: 'PRIMARY',
          self: true,
          uptime: Math.floor(process.uptime()),
        },
      ],
    }),
};

/** `startSession`, `refreshSessions`, `endSessions`: a session needs no preparation here. */
export const startSession: Command = {
  options: [],
  run: ({ engine }) => {
    const id = engine.newSessionId();
    return ok({ id: { id }, timeoutMinutes: sessionMinutes });
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

export const refreshSessions: Command = {
  options: [],
  run({ body, engine }) {
    for (const lsid of list(body, 'refreshSessions')) engine.sessions.of(lsid);
    return ok();
  },
};

export const killAllSessions: Command = {
  options: [],
  run({ body, engine }) {
    if (list(body, 'killAllSessions').length > 0)
      throw new MongoError('CommandNotSupported', 'killAllSessions of named users is not supported by this engine');
    engine.killAllSessions();
    return ok();
  },
};

/** Aborts the open transactions of these sessions, or of all sessions if the list is empty. */
export const killSessions: Command = {
  options: [],
  run({ body, engine }) {
    const lsids = list(body, 'killSessions');
    if (lsids.length === 0) engine.killAllSessions();
    for (const lsid of lsids) engine.killSession(lsid);
    return ok();
  },
};

export const configureFailPoint: Command = {
  options: ['mode', 'data'],
  admin: true,
  run({ body, engine }) {
    engine.failPoints.configure(String(body['configureFailPoint']), body['mode'], optionalDocument(body, 'data') ?? {});
    return ok();
  },
};
