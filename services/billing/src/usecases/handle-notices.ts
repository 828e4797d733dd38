import type { Log } from '@tautan/kit';
import type { ProvidedInvoice } from '../domain/provided.js';
import type { StoredNotice } from '../store/models.js';
import type { FollowDeps } from './deps.js';
import { followProvider } from './follow-provider.js';

type Deps = FollowDeps & { log: Log };

/** Maximum number of notices that are acted on together. */
const MAX_TOGETHER = 50;

/**
 * Acts on the waiting notices of a customer, oldest first, with one read of the subscription for all. Notices that fail wait
 * for another attempt and do not hold up the others. Returns whether there may be more.
 */
export async function handleNotices(deps: Deps, customerId: string): Promise<boolean> {
  const { store } = deps;
  const waiting = await store.notices.waiting(customerId, MAX_TOGETHER);
  const subscription = await store.subscriptions.ofCustomer(customerId);
  if (waiting.length === 0 || !subscription) return false;
  const { ready, invoices } = await withInvoices(deps, waiting);
  if (ready.length === 0) return false;
  try {
    await followProvider(deps, subscription, { noticeIds: ready.map(({ _id }) => _id), invoices });
    return ready.length === MAX_TOGETHER;
  } catch (error) {
    await postpone(deps, ready, error);
    return false;
  }
}

/** Reads the invoices that notices concern, each once. Notices whose invoices cannot be read are postponed. */
async function withInvoices(deps: Deps, notices: StoredNotice[]) {
  const read = new Map<string, ProvidedInvoice[]>();
  const ready: StoredNotice[] = [];
  for (const notice of notices) {
    const key = notice.chargeId ?? notice.invoiceId ?? '';
    try {
      if (!read.has(key)) read.set(key, await invoicesOf(deps, notice));
      ready.push(notice);
    } catch (error) {
      await postpone(deps, [notice], error);
    }
  }
  return { ready, invoices: [...read.values()].flat() };
}

async function invoicesOf({ provider }: Deps, { invoiceId, chargeId }: StoredNotice): Promise<ProvidedInvoice[]> {
  if (chargeId !== undefined) return provider.refundedInvoices(chargeId);
  const invoice = invoiceId === undefined ? null : await provider.invoice(invoiceId);
  return invoice ? [invoice] : [];
}

async function postpone({ store, log, now }: Deps, notices: StoredNotice[], error: unknown): Promise<void> {
  log.warn({ err: error, notices: notices.length }, 'payment notices wait for another attempt');
  await store.notices.postpone(notices, now());
}
