import { describeSpan, inSpan, traceparent } from '@tautan/kit';
import type { RawClick } from './clicks/recorder.js';
import type { Exchange } from './exchange.js';

/**
 * Returns a handler that traces a random share of the requests (`ratio`: 0 to 1), following the OpenTelemetry semantic
 * conventions for HTTP. Sampling is decided first, so that untraced requests only cost a random number. Addresses,
 * paths and queries of visits are not recorded.
 */
export const traceSome =
  (ratio: number, handle: (exchange: Exchange) => void): ((exchange: Exchange) => void) =>
  (exchange) => {
    if (Math.random() >= ratio) return handle(exchange);
    const method = exchange.method === 'GET' || exchange.method === 'HEAD' ? exchange.method : '_OTHER';
    const span = {
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': '/{slug}' },
      from: [exchange.head.traceparent || undefined],
      sampling: 'always',
    } as const;
    void inSpan(`${method.replace('_OTHER', 'HTTP')} /{slug}`, span, async () => {
      const statusCode = await new Promise<number>((resolve) => {
        exchange.onSent = resolve;
        handle(exchange);
      });
      const errorType = statusCode >= 500 ? `${statusCode}` : undefined;
      describeSpan(() => ({ 'http.response.status_code': statusCode }), errorType);
    });
  };

/** Returns a recorder that adds the current trace to a click. */
export const recordTraces =
  (record: (click: RawClick) => void): ((click: RawClick) => void) =>
  (click) => {
    const trace = traceparent();
    record(trace === undefined ? click : { ...click, trace });
  };
