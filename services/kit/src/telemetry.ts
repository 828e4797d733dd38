import { context, propagation, SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api';

const tracer = trace.getTracer('tautan');

/** Longest time for the last spans to leave. */
const FLUSH_MS = 1_000;
let running = false;

/**
 * Starts OpenTelemetry by the standard variables (OTEL_EXPORTER_OTLP_ENDPOINT …), once for the process: a later call
 * changes nothing. Without them nothing is loaded and every span below costs next to nothing. Answers how to flush and
 * stop.
 */
export async function startTelemetry(
  service: string,
  env: Record<string, string | undefined>,
): Promise<() => Promise<void>> {
  const wanted =
    env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? env['OTEL_TRACES_EXPORTER'];
  if (!wanted || wanted === 'none' || env['OTEL_SDK_DISABLED'] === 'true') return async () => {};
  if (running) return async () => {};
  running = true;
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ serviceName: env['OTEL_SERVICE_NAME'] ?? `tautan-${service}`, instrumentations: [] });
  sdk.start();
  return async () => {
    running = false;
    // A collector that is away must not hold up the drain, nor make it fail.
    await Promise.race([sdk.shutdown(), new Promise((resolve) => setTimeout(resolve, FLUSH_MS))]).catch(() => {});
  };
}

/** Carries the current trace into a map of headers (W3C traceparent). */
export function injectTrace(headers: Record<string, string>): Record<string, string> {
  propagation.inject(context.active(), headers);
  return headers;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'producer' | 'consumer';
  attributes?: Attributes;
  /** Headers that a trace may have come in. */
  from?: Record<string, string | undefined>;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Runs `work` in a span, as a child of the current one or of the trace in `from`; a rejection marks it as failed. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const parent = options.from ? propagation.extract(context.active(), options.from) : context.active();
  const span = tracer.startSpan(name, { kind: kinds[options.kind], attributes: options.attributes ?? {} }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/** Says more of the current span than was known at its start; `failed` marks it. */
export function describeSpan(name: string, attributes: Attributes, failed: boolean): void {
  const span = trace.getActiveSpan();
  if (!span?.isRecording()) return;
  span.updateName(name).setAttributes(attributes);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
}
