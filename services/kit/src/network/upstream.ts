import { AsyncLocalStorage } from 'node:async_hooks';
import { meterBreaker } from '../telemetry/breaker-meter.js';
import { fail, isFault, type Fault } from '../errors.js';
import type { Log } from '../telemetry/log.js';
import { Histogram, latencyBuckets, type Registry } from '../telemetry/metrics.js';
import { MAX_RETRY_AFTER_SECONDS, parseRetryAfter, retryAfterSeconds } from './retry-after.js';
import type { Breaker } from '../rpc/breaker.js';
import { inSpan } from '../telemetry/telemetry.js';

export interface UpstreamOptions {
  /** What is provided: the metric is `tautan_<name>_provider_request_duration_seconds`. */
  name: 'identity' | 'payment';
  breaker: Breaker;
  log: Log;
  registry: Registry;
  /** Whether an error says that the provider is there and refused what it was asked: our own settings, or a defect. */
  isRefusal: (error: unknown) => boolean;
  /** What may be logged of a failure: no secret, no body of an answer. */
  reasonOf: (error: unknown) => string;
}

/** When the provider accepts the next attempt, as its response to a call says; Unix ms. */
interface Noted {
  retryAt?: number | undefined;
}

// Libraries make the requests of a call, and do not return the headers of a response that they refuse.
const calls = new AsyncLocalStorage<Noted>();

/**
 * Notes what the latest response to the call of an upstream that is under way says about the next attempt: Retry-After
 * (RFC 9110, 10.2.3) with 429 or 503.
 */
export function recordRetryAfter(status: number | undefined, header: string | null | undefined): void {
  const call = calls.getStore();
  if (!call) return;
  const now = new Date();
  const isLater = status === 429 || status === 503;
  const wait = isLater ? parseRetryAfter(header ?? undefined, now, MAX_RETRY_AFTER_SECONDS * 1_000) : undefined;
  call.retryAt = wait === undefined ? undefined : now.getTime() + wait;
}

/** Calls of a provider outside: behind one circuit breaker, every failure UPSTREAM_UNAVAILABLE. */
export class Upstream {
  readonly #seconds: Histogram;
  /** The `retryAt` of the last failed call, for calls that the breaker refuses. */
  #retryAt: number | undefined;

  constructor(private readonly options: UpstreamOptions) {
    meterBreaker(options.registry, options.breaker, `${options.name}_provider`);
    this.#seconds = new Histogram({
      name: `tautan_${options.name}_provider_request_duration_seconds`,
      help: `Duration of a call to the ${options.name} provider`,
      labelNames: ['call', 'outcome'],
      buckets: latencyBuckets,
      registers: [options.registry],
    });
  }

  /**
   * Runs one call. A Fault that `work` throws is the provider's answer and passes as it is; anything else means that the
   * provider failed, unless it answered that our own configuration is wrong.
   */
  async call<T>(what: string, work: () => Promise<T>): Promise<T> {
    const { breaker, isRefusal } = this.options;
    if (!breaker.allows()) throw this.#away();
    const noted: Noted = {};
    const observe = this.#seconds.startTimer({ call: what });
    try {
      const span = `${this.options.name} provider ${what}`;
      const result = await calls.run(noted, () => inSpan(span, { kind: 'client' }, work));
      observe({ outcome: 'ok' });
      breaker.succeeded();
      return result;
    } catch (error) {
      const answered = isFault(error) ? error.code !== 'UPSTREAM_UNAVAILABLE' : isRefusal(error);
      observe({ outcome: answered ? 'refused' : 'failed' });
      if (answered) breaker.succeeded();
      else breaker.failed();
      if (isFault(error) && answered) throw withRetryAfter(error, noted.retryAt);
      this.#retryAt = noted.retryAt;
      throw this.#failed(what, error, answered);
    }
  }

  #failed(what: string, error: unknown, answered: boolean): Fault {
    const { log, name, reasonOf } = this.options;
    log[answered ? 'error' : 'warn']({ what, reason: reasonOf(error) }, `the ${name} provider failed`);
    return this.#away();
  }

  #away(): Fault {
    const fault = fail(
      'UPSTREAM_UNAVAILABLE',
      `The ${this.options.name} provider does not answer; try again in a moment.`,
    );
    return withRetryAfter(fault, this.#retryAt);
  }
}

/** The same fault with the seconds that are left until `retryAt`; as it is where that is over, or not known. */
function withRetryAfter(fault: Fault, retryAt = 0): Fault {
  const left = (retryAt - Date.now()) / 1_000;
  return left > 0 ? fail(fault.code, fault.message, fault.field, retryAfterSeconds(left)) : fault;
}
