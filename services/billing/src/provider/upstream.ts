import { fail, noteRetryAfter, Upstream, type Log, type Registry } from '@tautan/kit';
import { Breaker } from '@tautan/kit/rpc';
import Stripe from 'stripe';

/** Longest reason in the log, characters. */
const MAX_REASON = 300;

/** Calls of the payment provider. */
export class PaymentUpstream {
  readonly #upstream: Upstream;

  constructor(
    private readonly log: Log,
    registry: Registry,
  ) {
    this.#upstream = new Upstream({ name: 'payment', breaker: new Breaker(), log, registry, isRefusal, reasonOf });
  }

  /** Runs one call. Answers null where the provider says that there is no such thing, or none that can be changed. */
  ask<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    return this.#upstream.call(what, () =>
      work().catch((error: unknown) => {
        if (isMissing(error)) return null;
        if (error instanceof Stripe.errors.StripeError)
          noteRetryAfter(error.statusCode, error.headers?.['retry-after']);
        throw error;
      }),
    );
  }

  /** The same of what must be there. */
  async need<T>(what: string, work: () => Promise<T>): Promise<T> {
    const found = await this.ask(what, work);
    if (found !== null) return found;
    this.log.error({ what }, 'the payment provider does not know what it should');
    throw fail('UPSTREAM_UNAVAILABLE', 'The payment provider does not know this workspace.');
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

const isRefusal = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && (error.statusCode ?? 500) < 500 && error.statusCode !== 429;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_REASON);
  const code = error instanceof Stripe.errors.StripeError ? error.code : undefined;
  return [error.name, code, error.message].filter(Boolean).join(': ').slice(0, MAX_REASON);
}
