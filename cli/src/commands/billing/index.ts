import type { CommandGroup } from '../../command.js';
import { cancelSubscription } from './cancel.js';
import { checkout } from './checkout.js';
import { listHistory } from './history.js';
import { showPlan } from './plan.js';
import { listPlans } from './plans.js';
import { openPortal } from './portal.js';
import { resumeSubscription } from './resume.js';
import { showUsage } from './usage.js';

export const billing: CommandGroup = {
  name: 'billing',
  summary: 'Show plan and usage, upgrade, cancel, and list invoices',
  commands: [showPlan, listPlans, showUsage, checkout, cancelSubscription, resumeSubscription, listHistory, openPortal],
};
