import { fail } from '@tautan/kit';
import { z } from 'zod';
import type { ProviderWebhook } from '../domain/provider-objects.js';
import { idOf, workspaceIn } from './stripe-objects.js';

/** Maximum age of a signature, seconds. */
const TOLERANCE_S = 300;

/** Handled event types. Each function returns the ids that an event refers to, besides its customer. */
const handledTypes: Record<string, (object: { id: string }) => Partial<ProviderWebhook>> = {
  'checkout.session.completed': () => ({}),
  'checkout.session.async_payment_succeeded': () => ({}),
  'customer.subscription.created': () => ({}),
  'customer.subscription.updated': () => ({}),
  'customer.subscription.deleted': () => ({}),
  'customer.subscription.paused': () => ({}),
  'customer.subscription.resumed': () => ({}),
  'invoice.finalized': ({ id }) => ({ invoiceId: id }),
  'invoice.paid': ({ id }) => ({ invoiceId: id }),
  'invoice.payment_failed': ({ id }) => ({ invoiceId: id }),
  'invoice.voided': ({ id }) => ({ invoiceId: id }),
  'invoice.marked_uncollectible': ({ id }) => ({ invoiceId: id }),
  'charge.refunded': ({ id }) => ({ chargeId: id }),
};

const customer = z.union([z.string(), z.object({ id: z.string() })]).nullish();
/** Ignored unless all values are strings, because this service writes only strings. */
const metadata = z.record(z.string(), z.string()).optional().catch(undefined);
const event = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  data: z.object({ object: z.object({ id: z.string(), customer, metadata }) }),
});

/**
 * Parses the body of a verified webhook. Returns null for a type that is not handled. Throws VALIDATION_ERROR unless
 * the body is an event in JSON.
 */
export function readEvent(payload: Buffer): ProviderWebhook | null {
  const value = parse(payload);
  const name = (value as { type?: string } | null)?.type ?? '';
  const references = Object.hasOwn(handledTypes, name) ? handledTypes[name] : undefined;
  if (!references && z.object({ type: z.string() }).safeParse(value).success) return null;
  const result = event.safeParse(value);
  if (!references || !result.success)
    throw fail('VALIDATION_ERROR', 'The body must be an event of the payment provider.');
  const { id, type, data } = result.data;
  const { customer: owner, metadata: labels } = data.object;
  const workspaceId = workspaceIn(labels);
  return {
    ...{ id, type, customerId: owner ? idOf(owner) : undefined },
    ...(workspaceId !== undefined && { workspaceId }),
    ...references(data.object),
  };
}

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString()) as unknown;
  } catch {
    throw fail('VALIDATION_ERROR', 'The body must be JSON.');
  }
}

/**
 * Rejects with VALIDATION_ERROR naming `stripe-signature` if a signature is missing, invalid, or older than five
 * minutes.
 */
export async function verifySignature(
  payload: Buffer,
  signature: string,
  { secret, now }: { secret: string; now: Date },
): Promise<void> {
  const { Stripe } = await import('stripe');
  try {
    Stripe.webhooks.signature!.verifyHeader(payload, signature, secret, TOLERANCE_S, undefined, now.getTime());
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    throw fail('VALIDATION_ERROR', 'The signature is missing, invalid or too old.', 'stripe-signature');
  }
}
