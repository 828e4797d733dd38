import type { RequestListener } from 'node:http';
import { describeSpan, inSpan, traceparent } from '@tautan/kit';
import type { RawClick } from './clicks/recorder.js';

/**
 * Returns a listener that traces a ratio of the requests (0 to 1), following the OpenTelemetry semantic conventions for
 * HTTP. Sampling is decided first, so that untraced requests only cost a random number. Addresses, paths and queries of
 * visits are not recorded.
 */
export const traceSome =
  (ratio: number, listener: RequestListener): RequestListener =>
  (request, response) => {
    if (Math.random() >= ratio) return listener(request, response);
    const method = request.method === 'GET' || request.method === 'HEAD' ? request.method : '_OTHER';
    const header = request.headers['traceparent'];
    const span = {
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': '/{slug}' },
      from: [typeof header === 'string' ? header : undefined],
      sampling: 'always',
    } as const;
    void inSpan(`${method.replace('_OTHER', 'HTTP')} /{slug}`, span, async () => {
      await new Promise((resolve) => {
        response.once('close', resolve);
        listener(request, response);
      });
      const { statusCode } = response;
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
