import {
  describeSpan,
  Histogram,
  inSpan,
  latencyBuckets,
  type Log,
  type Registry,
  type SpanOptions,
} from '@tautan/kit';
import type { Context, Middleware } from '../state.js';

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** Records a span, a log line and metrics per request, when its response is ready (a download: when it is complete). */
export function observe({ log, registry }: { log: Log; registry: Registry }): Middleware {
  const seconds = new Histogram({
    name: 'tautan_http_request_duration_seconds',
    help: 'Duration of an API request until its response is ready',
    labelNames: ['route', 'method', 'status', 'code'],
    buckets: latencyBuckets,
    registers: [registry],
  });
  return async (ctx, next) => {
    const began = performance.now();
    const method = methods.has(ctx.method) ? ctx.method : 'OTHER';
    await inSpan(method === 'OTHER' ? 'HTTP' : method, spanOf(ctx, method), async () => {
      await next();
      const ms = performance.now() - began;
      const { requestId, route } = ctx.state;
      const code = outcome(ctx);
      const path = route?.path ?? 'unknown';
      seconds.observe({ route: path, method, status: ctx.status, code: ctx.state.reason ?? code }, ms / 1000);
      log.info(
        { op: route?.id ?? 'unknown', requestId, method, status: ctx.status, code, ms: Math.round(ms * 100) / 100 },
        'request',
      );
      const attributes = () => ({
        'http.response.status_code': ctx.status,
        'tautan.request_id': requestId,
        ...(route && { 'http.route': route.path }),
      });
      describeSpan(attributes, ctx.status >= 500 ? `${ctx.status}` : undefined, route && `${method} ${route.path}`);
    });
  };
}

/**
 * Returns the span of a request (OpenTelemetry semantic conventions for HTTP). Callers may set the trace, but not force
 * sampling. The client address and the path are not recorded; some paths contain tokens.
 */
const spanOf = (ctx: Context, method: string): SpanOptions => ({
  kind: 'server',
  attributes: { 'http.request.method': method === 'OTHER' ? '_OTHER' : method },
  from: [ctx.get('traceparent') || undefined],
  sampling: 'independent',
});

const outcome = ({ res, state }: Context): string =>
  state.downloadError ?? (res.destroyed && !res.writableFinished ? 'CLIENT_GONE' : state.code);
