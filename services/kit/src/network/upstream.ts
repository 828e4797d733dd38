import { meterBreaker } from '../telemetry/breaker-meter.js';
import { fail, isFault, type Fault } from '../errors.js';
import type { Log } from '../telemetry/log.js';
import { Histogram, latencyBuckets, type Registry } from '../telemetry/metrics.js';
import { MAX_RETRY_AFTER_SECONDS, parseRetryAfter, retryAfterSeconds } from './retry-after.js';
import type { Breaker } from '../rpc/breaker.js';
import { inSpan } from '../telemetry/telemetry.js';

export interface UpstreamOptions {
  /** Kind of provider, part of the metric `tautan_<name>_provider_request_duration_seconds`. */
  name: 'identity' | 'payment';
  breaker: Breaker;
  log: Log;
  registry: Registry;
  /**
   * Returns whether the error is a refusal: a response that shows that the provider is available, but rejects the
   * request, for example because of wrong settings or a defect of this software.
   */
  isRefusal: (error: unknown) => boolean;
  /** Returns the loggable reason of a failure, without secrets or response bodies. */
  reasonOf: (error: unknown) => string;
}

/**
 * Calls an external provider through one circuit breaker. Failures become UPSTREAM_UNAVAILABLE, except faults that
 * report a response of the provider.
 */
export class Upstream {
  readonly #seconds: Histogram;
  /**
   * Time until which the provider accepts no requests, according to its latest response, Unix ms; undefined if the
   * response gave no time.
   */
  #retryAt: number | undefined;

  constructor(private readonly options: UpstreamOptions) {
    meterBreaker(options.registry, options.breaker, `${options.name}_provider`);
    this.#seconds = new Histogram({
      name: `tautan_${options.name}_provider_request_duration_seconds`,
      help: `Duration of a call to the ${options.name} provider, by outcome (ok, refused, failed)`,
      labelNames: ['call', 'outcome'],
      buckets: latencyBuckets,
      registers: [options.registry],
    });
  }

  /**
   * Records a response's Retry-After (RFC 9110, 10.2.3) if its status is 429 or 503, so that the errors of calls carry
   * it. Call this in `work` for every error response: one without a delay clears the recorded delay.
   */
  recordRetryAfter(status: number | undefined, header: string | null | undefined): void {
    const now = new Date();
    const canCarryDelay = status === 429 || status === 503;
    const wait = canCarryDelay ? parseRetryAfter(header ?? undefined, now, MAX_RETRY_AFTER_SECONDS * 1_000) : undefined;
    this.#retryAt = wait === undefined ? undefined : now.getTime() + wait;
  }

  /**
   * Runs one call. Rethrows a Fault of `work` that reports a response of the provider: any except UPSTREAM_UNAVAILABLE.
   * All other errors become UPSTREAM_UNAVAILABLE. They count as failures for the circuit breaker, unless `isRefusal`
   * returns true.
   */
  async call<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const { breaker, isRefusal } = this.options;
    if (!breaker.allows()) throw this.#unavailable();
    const observe = this.#seconds.startTimer({ call: operation });
    try {
      const span = `${this.options.name} provider ${operation}`;
      const result = await inSpan(span, { kind: 'client' }, work);
      observe({ outcome: 'ok' });
      breaker.succeeded();
      this.#retryAt = undefined;
      return result;
    } catch (error) {
      const responded = isFault(error) ? error.code !== 'UPSTREAM_UNAVAILABLE' : isRefusal(error);
      observe({ outcome: responded ? 'refused' : 'failed' });
      if (responded) breaker.succeeded();
      else breaker.failed();
      if (isFault(error) && responded) throw withRetryAfter(error, this.#retryAt);
      throw this.#failed(operation, error, responded);
    }
  }

  #failed(operation: string, error: unknown, responded: boolean): Fault {
    const { log, name, reasonOf } = this.options;
    log[responded ? 'error' : 'warn'](
      { what: operation, reason: reasonOf(error) },
      `the ${name} provider ${responded ? 'refused a request' : 'failed'}`,
    );
    return this.#unavailable();
  }

  #unavailable(): Fault {
    const fault = fail(
      'UPSTREAM_UNAVAILABLE',
      `The ${this.options.name} provider is unavailable. Try again in a moment.`,
    );
    return withRetryAfter(fault, this.#retryAt);
  }
}

/** Returns the fault with the remaining seconds until `retryAt`, or unchanged if that has passed or is unknown. */
function withRetryAfter(fault: Fault, retryAt = 0): Fault {
  const left = (retryAt - Date.now()) / 1_000;
  return left > 0 ? fail(fault.code, fault.message, fault.field, retryAfterSeconds(left)) : fault;
}
