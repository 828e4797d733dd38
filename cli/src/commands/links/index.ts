import type { CommandGroup } from '../../command.js';
import { bulkLinks } from './bulk.js';
import { createLink } from './create.js';
import { deleteLink } from './delete.js';
import { exportLinks } from './export.js';
import { getLink } from './get.js';
import { importLinks } from './import.js';
import { listLinks } from './list.js';
import { linkStats } from './stats.js';
import { updateLink } from './update.js';

export const links: CommandGroup = {
  name: 'links',
  summary: 'Create, list, update, import, export and delete links',
  commands: [createLink, listLinks, getLink, updateLink, deleteLink, linkStats, bulkLinks, importLinks, exportLinks],
};
