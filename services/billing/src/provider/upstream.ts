import { fail, Upstream, type Fault, type Log, type Registry } from '@tautan/kit';
import { Breaker } from '@tautan/kit/rpc';
import type Stripe from 'stripe';

/** Maximum length of a reason in the log, characters. */
const MAX_REASON = 300;

export interface PaymentUpstreamOptions {
  /** Returns the client of the provider. Called for each call. */
  connect: () => Promise<Stripe>;
  log: Log;
  registry: Registry;
}

/** Calls the payment provider through a circuit breaker. `what` names a call in logs and metrics. */
export class PaymentUpstream {
  readonly #upstream: Upstream;

  constructor(private readonly options: PaymentUpstreamOptions) {
    const { log, registry } = options;
    this.#upstream = new Upstream({ name: 'payment', breaker: new Breaker(), log, registry, isRefusal, reasonOf });
  }

  /**
   * Makes a call. Returns null if the provider reports a missing object, which it also does for an immediate
   * cancellation of an ended subscription.
   */
  callOrNull<T>(what: string, work: (stripe: Stripe) => Promise<T>): Promise<T | null> {
    return this.#upstream.call(what, async () => {
      const stripe = await this.options.connect();
      return work(stripe).catch((error: unknown) => {
        if (isMissing(error)) return null;
        if (isStripeError(error)) this.#upstream.recordRetryAfter(error.statusCode, error.headers?.['retry-after']);
        throw error;
      });
    });
  }

  /** Makes a call. Throws UPSTREAM_UNAVAILABLE if the object does not exist. */
  async callRequired<T>(what: string, work: (stripe: Stripe) => Promise<T>): Promise<T> {
    const found = await this.callOrNull(what, work);
    if (found !== null) return found;
    throw this.missing(what);
  }

  /** Logs that an object that a call needs does not exist. Returns the error to throw, UPSTREAM_UNAVAILABLE. */
  missing(what: string): Fault {
    this.options.log.error({ what }, 'an object is missing at the payment provider');
    return fail('UPSTREAM_UNAVAILABLE', 'The payment provider lacks an object that this operation needs.');
  }
}

/** Recognizes the library's errors by `type` instead of by class, so that this module does not load the library. */
const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');

const isMissing = (error: unknown): boolean =>
  isStripeError(error) && error.type === 'StripeInvalidRequestError' && error.code === 'resource_missing';

/**
 * Returns whether an error is about an object of Stripe's test mode that was requested with a live mode key. Only the
 * error message says so.
 */
export const isOfTestMode = (error: unknown): boolean =>
  isMissing(error) && /similar object exists in test mode/.test((error as Error).message);

const isRefusal = (error: unknown): boolean =>
  isStripeError(error) && (error.statusCode ?? 500) < 500 && error.statusCode !== 429;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_REASON);
  const code = isStripeError(error) ? error.code : undefined;
  return [error.name, code, error.message].filter(Boolean).join(': ').slice(0, MAX_REASON);
}
