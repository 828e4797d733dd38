import { rpcTable, withCall, type RpcTable } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto/rpc';
import { listedPlanNames } from '@tautan/proto';
import { cancelSubscription } from './usecases/cancel-subscription.js';
import { createCheckout } from './usecases/create-checkout.js';
import { createPortal } from './usecases/create-portal.js';
import type { Deps } from './usecase-deps.js';
import { downgradeSubscription } from './usecases/downgrade-subscription.js';
import { getCheckout } from './usecases/get-checkout.js';
import { getPlan } from './usecases/get-plan.js';
import { getSubscription } from './usecases/get-subscription.js';
import { listInvoices } from './usecases/list-invoices.js';
import { receiveProviderWebhook } from './usecases/receive-provider-webhook.js';
import { resumeSubscription } from './usecases/resume-subscription.js';
import { checkoutMessage, invoiceMessage, planMessage, portalMessage, subscriptionMessage } from './views.js';

/** Returns the RPC tables of this service. */
export const rpcTables = (deps: Deps): RpcTable[] => [
  rpcTable(rpcServices.billing, {
    ListPlans: async () => ({ plans: listedPlanNames.map((name) => planMessage(deps.plans[name])) }),
    GetPlan: async (call) => {
      const { plan, currency } = await getPlan(deps, call.principal());
      return planMessage(plan, currency);
    },
    GetSubscription: async (call) => subscriptionMessage(await getSubscription(deps, call.principal())),
    CreateCheckout: async (call, input) => checkoutMessage(await createCheckout(deps, call.principal(), input)),
    GetCheckout: (_call, request) => getCheckout(deps, request),
    CreatePortal: async (call, input) => portalMessage(await createPortal(deps, call.principal(), input)),
    CancelSubscription: async (call) =>
      subscriptionMessage(await cancelSubscription(withCall(deps, call), call.principal())),
    DowngradeSubscription: async (call, input) =>
      subscriptionMessage(await downgradeSubscription(withCall(deps, call), call.principal(), input)),
    ResumeSubscription: async (call) =>
      subscriptionMessage(await resumeSubscription(withCall(deps, call), call.principal())),
    ListInvoices: async (call, query) => {
      const { invoices, nextCursor } = await listInvoices(deps, call.principal(), query);
      return { invoices: invoices.map(invoiceMessage), ...(nextCursor !== undefined && { nextCursor }) };
    },
    ReceiveProviderWebhook: async (_call, { payload, signature }) => {
      await receiveProviderWebhook(deps, { payload: Buffer.from(payload), signature });
      return {};
    },
  }),
];
