// Loaded only if traces are recorded, because OpenTelemetry's SDK needs tens of megabytes of memory.
import { trace, type Context } from '@opentelemetry/api';
import { core, NodeSDK, resources } from '@opentelemetry/sdk-node';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SamplingResult,
} from '@opentelemetry/sdk-trace';
import type { Log } from './log.js';
import { samplingKey } from './telemetry-sampling.js';

/** A failure at least this long after the previous one belongs to a new outage. */
const OUTAGE_GAP_MS = 10 * 60_000;

/** Starts the export of traces. Returns a function that exports the last spans and stops. */
export function startSdk(service: string, env: Record<string, string | undefined>, log: Log): () => Promise<void> {
  const failed = warnOncePerOutage(log);
  core.setGlobalErrorHandler(failed);
  const sdk = new NodeSDK({
    serviceName: env['OTEL_SERVICE_NAME'] || `tautan-${service}`,
    sampler: new OverridableSampler(samplerOf(env)),
    // No baggage, so that untrusted values are not propagated.
    textMapPropagator: new core.W3CTraceContextPropagator(),
    resourceDetectors: [resources.envDetector, resources.hostDetector],
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  return () => sdk.shutdown().catch(failed);
}

/**
 * Records a span if the `Sampling` in its context is `always`. Otherwise, `sampler` decides; if the `Sampling` is
 * `independent`, `sampler` does not see the parent span.
 */
class OverridableSampler implements Sampler {
  constructor(private readonly sampler: Sampler) {}

  shouldSample(parent: Context, ...span: Tail<Parameters<Sampler['shouldSample']>>): SamplingResult {
    const sampling = parent.getValue(samplingKey);
    if (sampling === 'always') return { decision: SamplingDecision.RECORD_AND_SAMPLED };
    return this.sampler.shouldSample(sampling === 'independent' ? trace.deleteSpan(parent) : parent, ...span);
  }

  toString(): string {
    return `OverridableSampler{${this.sampler.toString()}}`;
  }
}

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

/** The sampler of OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, which are validated with the other settings. */
function samplerOf(env: Record<string, string | undefined>): Sampler {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const root = rootSamplerOf(name.replace('parentbased_', ''), Number(env['OTEL_TRACES_SAMPLER_ARG'] || 1));
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSamplerOf(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

/**
 * Returns a function to call with each export error. It logs only the first error of each outage, because exports fail
 * every few seconds until the collector is back.
 */
export function warnOncePerOutage(log: Pick<Log, 'warn'>, now = () => performance.now()): (error: unknown) => void {
  let lastFailureAt = -Infinity;
  return (error) => {
    const at = now();
    if (at - lastFailureAt >= OUTAGE_GAP_MS)
      log.warn({ err: error }, 'traces cannot be exported; spans are dropped until the collector responds');
    lastFailureAt = at;
  };
}
