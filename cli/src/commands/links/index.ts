import type { CommandGroup } from '../../command.js';
import { createLink } from './create.js';
import { deleteLink } from './delete.js';
import { exportLinks } from './export.js';
import { getLink } from './get.js';
import { importLinks } from './import.js';
import { listLinks } from './list.js';
import { updateLink } from './update.js';

export const links: CommandGroup = {
  name: 'links',
  summary: 'Make, find, change, move and delete links',
  commands: [createLink, listLinks, getLink, updateLink, deleteLink, importLinks, exportLinks],
};
