import type { Log } from '@tautan/kit';
import type { ProviderInvoice } from '../domain/provider-objects.js';
import type { StoredWebhook } from '../store/models.js';
import type { SyncDeps } from '../usecase-deps.js';
import { syncSubscription } from '../steps/sync-subscription.js';

type Deps = SyncDeps & { log: Log };

/** Maximum number of webhooks that are handled together. */
const MAX_BATCH = 50;

/**
 * Handles the waiting webhooks of a customer, oldest first, with one read of the subscription for all. Failed webhooks
 * are postponed and do not delay the others. Returns whether there may be more to handle now.
 */
export async function handleWebhooks(deps: Deps, { customerId }: { customerId: string }): Promise<boolean> {
  const { store, now } = deps;
  const waiting = await store.webhooks.waiting(customerId, now(), MAX_BATCH);
  const subscription = await store.subscriptions.ofCustomer(customerId);
  if (waiting.length === 0) return false;
  if (!subscription) return ignore(deps, waiting);
  const { ready, invoices } = await withInvoices(deps, waiting);
  const mayBeMore = waiting.length === MAX_BATCH;
  if (ready.length === 0) return mayBeMore;
  try {
    await syncSubscription(deps, subscription, { webhookIds: ready.map(({ _id }) => _id), invoices });
    return mayBeMore;
  } catch (error) {
    await postpone(deps, ready, error);
    return false;
  }
}

/** Marks webhooks as handled, because their customer has been replaced by a new one. */
async function ignore({ store, transact, now }: Deps, webhooks: StoredWebhook[]): Promise<boolean> {
  const ids = webhooks.map(({ _id }) => _id);
  await transact(null, (tx) => store.webhooks.markHandled(ids, now(), tx.session));
  return webhooks.length === MAX_BATCH;
}

/** Reads the invoices that webhooks refer to, each once. Webhooks whose invoices cannot be read are postponed. */
async function withInvoices(deps: Deps, webhooks: StoredWebhook[]) {
  const read = new Map<string, ProviderInvoice[]>();
  const ready: StoredWebhook[] = [];
  for (const webhook of webhooks) {
    const key = webhook.chargeId ?? webhook.invoiceId ?? '';
    try {
      if (!read.has(key)) read.set(key, await invoicesOf(deps, webhook));
      ready.push(webhook);
    } catch (error) {
      await postpone(deps, [webhook], error);
    }
  }
  return { ready, invoices: [...read.values()].flat() };
}

async function invoicesOf({ provider }: Deps, { invoiceId, chargeId }: StoredWebhook): Promise<ProviderInvoice[]> {
  if (chargeId !== undefined) return provider.refundedInvoices(chargeId);
  const invoice = invoiceId === undefined ? null : await provider.invoice(invoiceId);
  return invoice ? [invoice] : [];
}

async function postpone({ store, log, now }: Deps, webhooks: StoredWebhook[], error: unknown): Promise<void> {
  log.warn({ err: error, webhooks: webhooks.length }, 'postponed provider webhooks');
  await store.webhooks.postpone(webhooks, now());
}
