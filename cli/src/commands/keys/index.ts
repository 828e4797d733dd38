import type { CommandGroup } from '../../command.js';
import { createKey } from './create.js';
import { listKeys } from './list.js';
import { revokeKey } from './revoke.js';

export const keys: CommandGroup = {
  name: 'keys',
  summary: 'Create, list and revoke API keys',
  commands: [createKey, listKeys, revokeKey],
};
