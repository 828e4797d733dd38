import { runProcess, type Principal, type Running } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { startService, type Ground } from '@tautan/kit/service';
import { rpcServices } from '@tautan/proto';
import { plansOf, readBillingConfig, stripeOf, type Config } from './config.js';
import { StripeProvider } from './provider/stripe-provider.js';
import { rpcTables } from './rpc.js';
import { createStore } from './store/index.js';
import { createModels, type Models } from './store/models.js';

/** Starts the service, by the given clock. Rejects, with nothing left running, when a port is taken. */
export const start = (config: Config, now = (): Date => new Date()): Promise<Running> =>
  startService({ name: 'billing', config, createModels }, (ground) => wire(config, ground, now));

function wire(config: Config, { log, registry, stack, models, outbox, tls }: Ground<Models>, now: () => Date) {
  const address = config.WORKSPACES_ADDRESS;
  const workspaces = rpcClient(rpcServices.workspaces, { address, tls, idempotent: ['GetWorkspace'] });
  stack.add('workspaces', workspaces, async () => workspaces.close());
  const stripe = stripeOf(config);
  const provider = stripe && new StripeProvider(stripe, { log, registry, now });
  stack.add('provider', provider, async () => provider?.close());
  return rpcTables({
    store: createStore(models),
    transact: outbox.transact,
    provider,
    plans: plansOf(config),
    workspacePlan: async (principal: Principal) => {
      const { requestId } = principal;
      return (await workspaces.call('GetWorkspace', {}, { requestId, principal })).plan;
    },
    now,
  });
}

if (import.meta.filename === process.argv[1]) await runProcess('billing', () => start(readBillingConfig()));
