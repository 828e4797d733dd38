import type { CommandGroup } from '../../command.js';
import { addDomain } from './add.js';
import { deleteDomain } from './delete.js';
import { getDomain } from './get.js';
import { listDomains } from './list.js';
import { updateDomain } from './update.js';
import { verifyDomain } from './verify.js';

export const domains: CommandGroup = {
  name: 'domains',
  summary: 'Add, verify, list, change and delete custom domains',
  commands: [addDomain, verifyDomain, listDomains, getDomain, updateDomain, deleteDomain],
};
