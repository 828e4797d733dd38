import { aggregate } from './aggregate.js';
import { saslContinue, saslStart } from './authentication.js';
import { bulkWrite } from './bulk-write.js';
import { create, drop, dropDatabase, renameCollection } from './collections.js';
import type { CommandTable } from './command.js';
import { count, distinct } from './count.js';
import { explain } from './explain.js';
import { find } from './find.js';
import { findAndModify } from './find-and-modify.js';
import { getMore, killCursors } from './get-more.js';
import { collMod, createIndexes, dropIndexes } from './indexes.js';
import {
  buildInfo,
  configureFailPoint,
  connectionStatus,
  endSessions,
  hello,
  killAllSessions,
  killSessions,
  ping,
  refreshSessions,
  replSetGetStatus,
  serverStatus,
  startSession,
  whatsmyuri,
} from './server-commands.js';
import { getParameter, setParameter } from './parameters.js';
import { listCollections, listDatabases, listIndexes } from './listings.js';
import { collStats, dbStats, validate } from './statistics.js';
import { abortTransaction, commitTransaction } from './transactions.js';
import { deleteCommand, insert, update } from './writes.js';

/** Every command that is answered; any other is CommandNotFound. */
export const commands: CommandTable = {
  abortTransaction,
  aggregate,
  buildInfo,
  buildinfo: buildInfo,
  bulkWrite,
  collMod,
  collStats,
  commitTransaction,
  configureFailPoint,
  connectionStatus,
  count,
  create,
  createIndexes,
  dbStats,
  delete: deleteCommand,
  distinct,
  drop,
  dropDatabase,
  dropIndexes,
  endSessions,
  explain,
  find,
  findAndModify,
  findandmodify: findAndModify,
  getMore,
  getParameter,
  hello,
  insert,
  isMaster: hello,
  ismaster: hello,
  killAllSessions,
  killCursors,
  killSessions,
  listCollections,
  listDatabases,
  listIndexes,
  ping,
  refreshSessions,
  renameCollection,
  replSetGetStatus,
  saslContinue,
  saslStart,
  serverStatus,
  setParameter,
  startSession,
  update,
  validate,
  whatsmyuri,
};

/** The commands of the stable API, version 1: with `apiStrict` a client may use no others. */
export const stableApi: ReadonlySet<string> = new Set([
  'abortTransaction',
  'aggregate',
  'bulkWrite',
  'collMod',
  'commitTransaction',
  'count',
  'create',
  'createIndexes',
  'delete',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'endSessions',
  'explain',
  'find',
  'findAndModify',
  'findandmodify',
  'getMore',
  'hello',
  'insert',
  'killCursors',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'ping',
  'refreshSessions',
  'update',
]);
