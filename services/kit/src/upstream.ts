import { meterBreaker } from './breaker-meter.js';
import { fail, isFault, type Fault } from './errors.js';
import type { Log } from './log.js';
import { Histogram, latencyBuckets, type Registry } from './metrics.js';
import type { Breaker } from './rpc/breaker.js';
import { inSpan } from './telemetry.js';

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

/** Calls of a provider outside: behind one circuit breaker, every failure UPSTREAM_UNAVAILABLE. */
export class Upstream {
  readonly #seconds: Histogram;

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
    const observe = this.#seconds.startTimer({ call: what });
    try {
      const result = await inSpan(`${this.options.name} provider ${what}`, { kind: 'client' }, work);
      observe({ outcome: 'ok' });
      breaker.succeeded();
      return result;
    } catch (error) {
      const answered = isFault(error) ? error.code !== 'UPSTREAM_UNAVAILABLE' : isRefusal(error);
      observe({ outcome: answered ? 'refused' : 'failed' });
      if (answered) breaker.succeeded();
      else breaker.failed();
      if (isFault(error) && answered) throw error;
      throw this.#failed(what, error, answered);
    }
  }

  #failed(what: string, error: unknown, answered: boolean): Fault {
    const { log, name, reasonOf } = this.options;
    log[answered ? 'error' : 'warn']({ what, reason: reasonOf(error) }, `the ${name} provider failed`);
    return this.#away();
  }

  #away(): Fault {
    return fail('UPSTREAM_UNAVAILABLE', `The ${this.options.name} provider does not answer; try again in a moment.`);
  }
}
