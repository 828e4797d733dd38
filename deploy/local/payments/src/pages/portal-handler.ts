import type { Page } from '@tautan/local-web';
import type { Draft } from '../draft.js';
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

type Action = (draft: Draft, customer: string, fields: Record<string, string>) => void;

const actions: Record<string, Action> = {
  cancel: (draft, customer) => endWithPeriod(draft, customer, true),
  resume: (draft, customer) => endWithPeriod(draft, customer, false),
  card: (draft, customer, fields) => {
    const card = cardIds.find((id) => id === fields['card']);
    if (card) updateCustomer(draft, { invoice_settings: { default_payment_method: card } }, customer);
  },
};

function endWithPeriod(draft: Draft, customer: string, ends: boolean): void {
  const subscription = liveOf(draft, customer);
  if (subscription) updateSubscription(draft, { cancel_at_period_end: ends }, subscription.id);
}

const liveOf = (draft: Draft, customer: string): Subscription | undefined =>
  draft.all('subscription').findLast((one) => one.customer === customer && one.status !== 'canceled');

/** Returns the portal page of a secret, or performs the action of a button and redirects to the page. */
export async function visitPortal(
  sandbox: Sandbox,
  secret: string,
  submitted?: { button: string; fields: Record<string, string> },
): Promise<{ page: Page } | { location: string }> {
  const opened = await sandbox.change((draft) => openPortal(draft, secret));
  if (!opened) return { page: failurePage(410, 'This link has expired', 'Open the billing portal again from Tautan.') };
  if (!submitted) return { page: portalOf(sandbox.draft(), secret, opened) };
  await sandbox.change((draft) => actions[submitted.button]!(draft, opened.customer, submitted.fields));
  return { location: `/portal/${secret}` };
}

function portalOf(
  draft: Draft,
  secret: string,
  { customer, return_url: returnUrl }: NonNullable<ReturnType<typeof openPortal>>,
): Page {
  const found = liveOf(draft, customer);
  const product = found && draft.find('product', found.items.data[0]!.price.product).name;
  const invoices = draft.all('invoice').filter((one) => one.customer === customer && one.status !== 'draft');
  return portalPage({
    secret,
    customer: draft.find('customer', customer),
    subscription: found && { found, product: product! },
    invoices: invoices.toReversed().slice(0, MAX_INVOICES),
    returnUrl,
  });
}
