import { z } from 'zod';
import { paging, text } from '../api/parameters.js';
import type { Charge, Refund } from './charges.js';
import type { Customer } from './customers.js';
import type { Invoice } from './invoices.js';
import type { Session } from './sessions.js';
import type { Subscription } from './subscriptions.js';

/** Version of Stripe's API that the objects conform to. */
export const API_VERSION = '2026-10-28.endive';

export type EventType =
  | 'customer.created'
  | 'customer.updated'
  | 'customer.subscription.created'
  | 'customer.subscription.updated'
  | 'customer.subscription.deleted'
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'invoice.created'
  | 'invoice.finalized'
  | 'invoice.paid'
  | 'invoice.payment_failed'
  | 'charge.succeeded'
  | 'charge.refunded'
  | 'refund.created';

/** https://docs.stripe.com/api/events/object */
export interface Event {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: {
    object: Customer | Session | Subscription | Invoice | Charge | Refund;
    previous_attributes?: Record<string, unknown>;
  };
  livemode: false;
  request: { id: string | null; idempotency_key: string | null };
  type: EventType;
}

export const eventListParameters = z.strictObject({
  ...paging,
  type: text(100).optional(),
  types: z.array(text(100)).max(20).optional(),
});

/** Returns whether an event matches the filters of a list. `type` may end in `.*`. */
export function isOfType({ type }: Event, { type: wanted, types }: z.infer<typeof eventListParameters>): boolean {
  if (types && !types.includes(type)) return false;
  if (wanted === undefined) return true;
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
