import { z } from 'zod';
import { address, expand, id } from '../api/parameters.js';
import type { Draft } from '../draft.js';
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

/** What the secret in a portal's address stands for. */
export interface PortalVisit {
  session: PortalSession;
  /** Seconds since 1970; null until the link is opened. */
  openedAt: number | null;
}

const SECRET_LENGTH = 58;
/** Time within which the link must be opened, and that it works from then on, seconds. */
const LINK_LIFE = 300;
const VISIT_LIFE = 3_600;

export const portalParameters = z.strictObject({ ...expand, customer: id, return_url: address.optional() });

/** Throws `resource_missing` without the customer. */
export function createPortalSession(draft: Draft, input: z.infer<typeof portalParameters>): PortalSession {
  draft.find('customer', input.customer, 'customer');
  const secret = newId('ps_test', SECRET_LENGTH);
  const session: PortalSession = {
    ...{ id: newId('bps'), object: 'billing_portal.session', configuration: 'bpc_sandbox', created: draft.now },
    ...{ customer: input.customer, flow: null, livemode: false, locale: null, on_behalf_of: null },
    ...{ return_url: input.return_url ?? null, url: `${draft.baseUrl}/portal/${secret}` },
  };
  const until = draft.nowMs + (LINK_LIFE + VISIT_LIFE) * 1_000;
  draft.put('portal', secret, { session, openedAt: null }, until);
  return session;
}

/** Opens a portal's link. Returns its session; undefined if there is none, or if its time is over. */
export function openPortal(draft: Draft, secret: string): PortalSession | undefined {
  const visit = draft.get('portal', secret);
  if (!visit) return undefined;
  const { session, openedAt } = visit;
  const end = openedAt === null ? session.created + LINK_LIFE : openedAt + VISIT_LIFE;
  if (draft.now >= end) return undefined;
  if (openedAt === null) {
    draft.put('portal', secret, { session, openedAt: draft.now }, draft.nowMs + VISIT_LIFE * 1_000);
  }
  return session;
}
