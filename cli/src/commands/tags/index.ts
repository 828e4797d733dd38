import type { CommandGroup } from '../../command.js';
import { createTag } from './create.js';
import { deleteTag } from './delete.js';
import { listTags } from './list.js';
import { renameTag } from './rename.js';

export const tags: CommandGroup = {
  name: 'tags',
  summary: 'Create, list, rename and delete tags',
  commands: [createTag, listTags, renameTag, deleteTag],
};
