import type { Page } from '@tautan/local-web';
import type { Transaction } from '../transaction.js';
import { cardIds } from '../objects/cards.js';
import { updateCustomer } from '../objects/customers.js';
import { openPortal } from '../objects/portal-sessions.js';
import { updateSubscription } from '../objects/subscription-changes.js';
import type { Subscription } from '../objects/subscriptions.js';
import type { Sandbox } from '../sandbox.js';
import { failurePage } from './messages.js';
import { portalPage } from './portal.js';

/** Maximum number of invoices on the page; the newest are shown. */
const MAX_INVOICES = 24;

type Action = (tx: Transaction, customer: string, fields: Record<string, string>) => void;

const actions: Record<string, Action> = {
  cancel: (tx, customer) => setCancellation(tx, customer, true),
  resume: (tx, customer) => setCancellation(tx, customer, false),
  card: (tx, customer, fields) => {
    const card = cardIds.find((id) => id === fields['card']);
    if (card) updateCustomer(tx, { invoice_settings: { default_payment_method: card } }, customer);
  },
};

/**
 * Cancels the customer's subscription at the end of the period, or resumes it. As in Stripe's portal in flexible
 * billing mode, `cancel_at_period_end` stays false.
 */
function setCancellation(tx: Transaction, customer: string, isCanceled: boolean): void {
  const subscription = currentSubscriptionOf(tx, customer);
  if (subscription) updateSubscription(tx, { cancel_at: isCanceled ? 'min_period_end' : '' }, subscription.id);
}

const currentSubscriptionOf = (tx: Transaction, customer: string): Subscription | undefined =>
  tx.all('subscription').findLast((one) => one.customer === customer && one.status !== 'canceled');

/** Returns the portal page for the secret of a portal URL, or performs a button's action and redirects to that page. */
export async function visitPortal(
  sandbox: Sandbox,
  secret: string,
  submitted?: { button: string; fields: Record<string, string> },
): Promise<{ page: Page } | { location: string }> {
  const opened = await sandbox.change((tx) => openPortal(tx, secret));
  if (!opened)
    return { page: failurePage(410, 'This link has expired', 'Open the customer portal again from Tautan.') };
  if (!submitted) return { page: portalOf(sandbox.transaction(), secret, opened) };
  await sandbox.change((tx) => actions[submitted.button]!(tx, opened.customer, submitted.fields));
  return { location: `/portal/${secret}` };
}

function portalOf(
  tx: Transaction,
  secret: string,
  { customer, return_url: returnUrl }: NonNullable<ReturnType<typeof openPortal>>,
): Page {
  const found = currentSubscriptionOf(tx, customer);
  const product = found && tx.find('product', found.items.data[0]!.price.product).name;
  const invoices = tx.all('invoice').filter((one) => one.customer === customer && one.status !== 'draft');
  return portalPage({
    secret,
    customer: tx.find('customer', customer),
    subscription: found && { found, product: product! },
    invoices: invoices.toReversed().slice(0, MAX_INVOICES),
    returnUrl,
  });
}
