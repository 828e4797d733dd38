import { collectionCommands } from './collections.js';
import type { CommandTable } from './command.js';
import { cursorCommands } from './cursors.js';
import { explain, find } from './find.js';
import { indexCommands } from './indexes.js';
import { readCommands } from './reads.js';
import { serverCommands } from './server-commands.js';
import { transactionCommands } from './transactions.js';
import { validate } from './validate.js';
import { writeCommands } from './writes.js';

export const commands: CommandTable = {
  ...collectionCommands,
  ...cursorCommands,
  explain,
  find,
  ...indexCommands,
  ...readCommands,
  ...serverCommands,
  ...transactionCommands,
  validate,
  ...writeCommands,
};
