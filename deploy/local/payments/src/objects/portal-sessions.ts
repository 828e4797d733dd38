import { z } from 'zod';
import { expand, id, webUrl } from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { newId } from '../ids.js';

/** https://docs.stripe.com/api/customer_portal/sessions/object */
export interface PortalSession {
  id: string;
  object: 'billing_portal.session';
  configuration: string;
  created: number;
  customer: string;
  flow: null;
  livemode: false;
  locale: null;
  on_behalf_of: null;
  return_url: string | null;
  url: string;
}

/** Record stored under the secret in a portal URL. */
export interface PortalVisit {
  session: PortalSession;
  /** Seconds since 1970; null until the link is opened. */
  openedAt: number | null;
}

const SECRET_LENGTH = 58;
/** Time in seconds within which a link must be opened. */
const LINK_LIFETIME = 300;
/** Time in seconds that a link remains usable after it was opened. */
const VISIT_LIFETIME = 3_600;

export const portalParameters = z.strictObject({ ...expand, customer: id, return_url: webUrl.optional() });

/** Creates a portal session. Throws `resource_missing` if the customer does not exist. */
export function createPortalSession(tx: Transaction, input: z.infer<typeof portalParameters>): PortalSession {
  tx.find('customer', input.customer, 'customer');
  const secret = newId('ps_test', SECRET_LENGTH);
  const session: PortalSession = {
    ...{ id: newId('bps'), object: 'billing_portal.session', configuration: 'bpc_sandbox', created: tx.now },
    ...{ customer: input.customer, flow: null, livemode: false, locale: null, on_behalf_of: null },
    ...{ return_url: input.return_url ?? null, url: `${tx.baseUrl}/portal/${secret}` },
  };
  const until = tx.nowMs + (LINK_LIFETIME + VISIT_LIFETIME) * 1_000;
  tx.put('portal', secret, { session, openedAt: null }, until);
  return session;
}

/** Opens a portal link. Returns its session, or undefined if the link is unknown or expired. */
export function openPortal(tx: Transaction, secret: string): PortalSession | undefined {
  const visit = tx.get('portal', secret);
  if (!visit) return undefined;
  const { session, openedAt } = visit;
  const end = openedAt === null ? session.created + LINK_LIFETIME : openedAt + VISIT_LIFETIME;
  if (tx.now >= end) return undefined;
  if (openedAt === null) {
    tx.put('portal', secret, { session, openedAt: tx.now }, tx.nowMs + VISIT_LIFETIME * 1_000);
  }
  return session;
}
