import type { CommandGroup } from '../../command.js';
import { cancelSubscription } from './cancel.js';
import { checkout } from './checkout.js';
import { downgrade } from './downgrade.js';
import { listHistory } from './history.js';
import { showPlan } from './plan.js';
import { listPlans } from './plans.js';
import { openPortal } from './portal.js';
import { resumeSubscription } from './resume.js';
import { showSubscription } from './subscription.js';
import { showUsage } from './usage.js';

export const billing: CommandGroup = {
  name: 'billing',
  summary: 'Show plan and usage, upgrade, cancel, and list invoices',
  commands: [
    showPlan,
    listPlans,
    showUsage,
    showSubscription,
    checkout,
    downgrade,
    cancelSubscription,
    resumeSubscription,
    listHistory,
    openPortal,
  ],
};
