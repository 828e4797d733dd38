import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import type { Log } from './log.js';
import { samplingKey, type Sampling } from './telemetry-sampling.js';
import { withTimeout } from '../async/time.js';

const tracer = trace.getTracer('tautan');

/** Maximum time to export the last spans at shutdown, milliseconds. */
const FLUSH_MS = 1_000;
let enabled = false;

/** Returns whether this process records traces. */
export const isTracing = (): boolean => enabled;

/**
 * Starts OpenTelemetry as configured by the standard variables (OTEL_EXPORTER_OTLP_ENDPOINT …). Without these
 * variables, its SDK is not loaded. Further calls have no effect. Returns a function that exports the last spans and
 * stops OpenTelemetry.
 */
export async function startTelemetry(
  service: string,
  env: Record<string, string | undefined>,
  log: Log,
): Promise<() => Promise<void>> {
  const isConfigured =
    env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_TRACES_EXPORTER'];
  const isDisabled = env['OTEL_TRACES_EXPORTER'] === 'none' || env['OTEL_SDK_DISABLED'] === 'true';
  if (!isConfigured || isDisabled || enabled) return async () => {};
  const { startSdk } = await import('./telemetry-sdk.js');
  const shutdown = startSdk(service, env, log);
  enabled = true;
  return async () => {
    enabled = false;
    // An unresponsive collector must not delay the stop.
    await withTimeout(shutdown(), FLUSH_MS, () => undefined);
  };
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /**
   * Traces (W3C traceparent) that the work belongs to. The span is a child of the first one and links to the others.
   * Default: the current trace.
   */
  from?: readonly (string | undefined)[] | undefined;
  /** How to sample the span. Default: the configured sampler decides, which may follow the decision of the parent. */
  sampling?: Sampling;
  /** Returns the error type to record for a rejection, or undefined if it is not a failure. Default: the error name. */
  errorOf?: (error: unknown) => string | undefined;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/**
 * Runs work in a span. A rejection marks the span as failed. Only server spans start traces; other work outside of a
 * trace runs without a span.
 */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (!enabled) return work();
  const { parent, span } = startSpan(name, options);
  if (!span) return runIn(parent, work);
  try {
    return await runIn(trace.setSpan(parent, span), work);
  } catch (error) {
    const errorType = (options.errorOf ?? nameOf)(error);
    if (errorType !== undefined) failSpan(span, errorType);
    throw error;
  } finally {
    span.end();
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'error');

/** Starts a span if the current trace is sampled. The caller must end it. */
export function beginSpan(name: string, options: Omit<SpanOptions, 'from'>): Span | undefined {
  return enabled && isSampled(context.active()) ? startSpan(name, options).span : undefined;
}

/** Runs work in a span from `beginSpan`, or in the current context if there is none. */
export const withSpan = <T>(span: Span | undefined, work: () => T): T =>
  span ? context.with(trace.setSpan(context.active(), span), work) : work();

/** Marks a span as failed. Error messages may quote data, so only the type is recorded. */
export function failSpan(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
}

/** Adds attributes to the current span. `errorType` marks it as failed, and `name` replaces its name. */
export function describeSpan(attributes: () => Attributes, errorType?: string, name?: string): void {
  const span = enabled ? trace.getActiveSpan() : undefined;
  if (!span?.isRecording()) return;
  span.setAttributes(attributes());
  if (name !== undefined) span.updateName(name);
  if (errorType !== undefined) failSpan(span, errorType);
}

/** Returns the current trace as a W3C traceparent, if there is one. */
export function traceparent(): string | undefined {
  if (!enabled) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Runs work as part of a trace (W3C traceparent), or without a trace if there is none. */
export const inTrace = <T>(from: string | undefined, work: () => T): T =>
  enabled ? runIn(contextOf(from), work) : work();

/** The trace of a caller whose work is batched with that of others and runs later (see `inBatch`). */
export type CallerTrace = Context;
/** Returns the current trace, to be kept with the deferred work. */
export const callerTrace = (): CallerTrace => context.active();

/**
 * Runs a batch for several callers in the trace of the first caller whose trace is sampled. The spans of the other
 * callers link to the batch.
 */
export function inBatch<T>(callers: readonly { trace: CallerTrace }[], work: () => Promise<T>): Promise<T> {
  if (!enabled) return work();
  const traces = callers.map((caller) => caller.trace);
  const spans = new Set(traces.filter(isSampled).map((each) => trace.getSpan(each)!));
  const own = traces.find(isSampled) ?? traces.find(trace.getSpan) ?? ROOT_CONTEXT;
  if (spans.size < 2) return runIn(own, work);
  return runIn(own, () =>
    inSpan('batch', { kind: 'internal' }, () => {
      const link = { context: trace.getActiveSpan()!.spanContext() };
      for (const span of spans) if (span !== trace.getSpan(own)) span.addLink(link);
      return work();
    }),
  );
}

function startSpan(
  name: string,
  { kind, attributes = {}, from, sampling }: SpanOptions,
): { parent: Context; span?: Span } {
  const [first, ...others] = from?.map(contextOf) ?? [context.active()];
  const parent = first ?? ROOT_CONTEXT;
  if (kind !== 'server' && !trace.getSpanContext(parent)) return { parent };
  const links = others.flatMap((other) => trace.getSpanContext(other) ?? []).map((linked) => ({ context: linked }));
  const options = { kind: kinds[kind], attributes, links };
  // Applies to this span only: its children follow its decision.
  const samplingContext = sampling ? parent.setValue(samplingKey, sampling) : parent;
  return { parent, span: tracer.startSpan(name, options, samplingContext) };
}

const contextOf = (from: string | undefined): Context =>
  from === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: from });

const isSampled = (caller: Context): boolean =>
  ((trace.getSpanContext(caller)?.traceFlags ?? TraceFlags.NONE) & TraceFlags.SAMPLED) !== 0;

/**
 * Enters a context unless it is already active. After a process has entered any context, all its asynchronous work is
 * slower.
 */
const runIn = <T>(target: Context, work: () => T): T =>
  target === context.active() ? work() : context.with(target, work);
