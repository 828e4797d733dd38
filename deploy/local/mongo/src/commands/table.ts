import { aggregate } from './aggregate.js';
import { saslContinue, saslStart } from './authentication.js';
import { create, drop, dropDatabase } from './collections.js';
import type { CommandTable } from './command.js';
import { count, distinct } from './count.js';
import { explain } from './explain.js';
import { find } from './find.js';
import { findAndModify } from './find-and-modify.js';
import { getMore, killCursors } from './get-more.js';
import { collMod, createIndexes, dropIndexes } from './indexes.js';
import { listCollections, listDatabases, listIndexes } from './listings.js';
import {
  buildInfo,
  configureFailPoint,
  endSessions,
  getParameter,
  hello,
  killAllSessions,
  ping,
  serverStatus,
} from './server-commands.js';
import { abortTransaction, commitTransaction } from './transactions.js';
import { validate } from './validate.js';
import { deleteCommand, insert, update } from './writes.js';

/** Every command that is answered; any other is CommandNotFound. */
export const commands: CommandTable = {
  abortTransaction,
  aggregate,
  buildInfo,
  collMod,
  commitTransaction,
  configureFailPoint,
  count,
  create,
  createIndexes,
  delete: deleteCommand,
  distinct,
  drop,
  dropDatabase,
  dropIndexes,
  endSessions,
  explain,
  find,
  findAndModify,
  getMore,
  getParameter,
  hello,
  insert,
  ismaster: hello,
  killAllSessions,
  killCursors,
  listCollections,
  listDatabases,
  listIndexes,
  ping,
  saslContinue,
  saslStart,
  serverStatus,
  update,
  validate,
};
