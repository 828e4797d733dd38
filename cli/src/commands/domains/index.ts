import type { CommandGroup } from '../../command.js';
import { addDomain } from './add.js';
import { deleteDomain } from './delete.js';
import { listDomains } from './list.js';
import { verifyDomain } from './verify.js';

export const domains: CommandGroup = {
  name: 'domains',
  summary: 'Add, verify, list and delete domains of your own',
  commands: [addDomain, verifyDomain, listDomains, deleteDomain],
};
