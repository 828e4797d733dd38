import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, EgressGuard, inTrace, startTelemetry } from '@tautan/kit';
import { startTraceCollector, until, type TraceCollector } from '@tautan/kit/testing';
import { Receiver } from '../testing/receiver.js';
import { Sender, type SenderOptions } from './sender.js';

let collector: TraceCollector;
let receiver: Receiver;
let stopTelemetry: () => Promise<void>;
beforeAll(async () => {
  collector = await startTraceCollector();
  receiver = await Receiver.start();
  // The exporter reads its settings from the environment.
  Object.assign(process.env, collector.env);
  stopTelemetry = await startTelemetry('webhooks', collector.env, createLog('webhooks', 'silent'));
});
afterAll(async () => {
  await stopTelemetry();
  await receiver.stop();
  await collector.stop();
});

const traceId = '0af7651916cd43dd8448eb211c80319c';

/** Makes an attempt in a trace, and returns its span. */
async function spanOf(url: string, options: Partial<SenderOptions> = {}, earlier?: number) {
  collector.spans.splice(0);
  const guard = new EgressGuard({ allowLoopback: true });
  const sender = new Sender({ guard, timeoutMs: 1_000, now: () => new Date(), ...options });
  const message = { url, headers: {}, body: '{}', ...(earlier !== undefined && { earlier }) };
  await inTrace(`00-${traceId}-b7ad6b7169203331-01`, () => sender.send(message));
  await sender.stop();
  return until(() => collector.spans[0]);
}

test.each([
  ['whose lease was lost', undefined, undefined, 200],
  ['that succeeded', undefined, 'lease', 200],
  ['that the receiver rejected', '500', 'lease', 500],
])('the span of an attempt %s has the error type %j', async (_which, errorType, lease, status) => {
  receiver.respond = (_request, response) => void response.writeHead(status).end();
  const span = await spanOf(receiver.url(), { lease: () => lease });
  expect([span.failed, span.attributes['error.type']]).toEqual([errorType !== undefined, errorType]);
});

test('the span of an attempt names the host but not the path, and the receiver can continue its trace', async () => {
  receiver.respond = (_request, response) => void response.writeHead(204).end();
  receiver.received.splice(0);
  const request = { 'http.request.method': 'POST', 'server.address': '127.0.0.1' };
  const answered = { ...request, 'server.port': receiver.port, 'http.response.status_code': 204 };
  const [first, third] = [await spanOf(receiver.url('/secret'), {}, 0), await spanOf(receiver.url('/secret'), {}, 2)];
  expect(first.attributes).toEqual(answered);
  expect(third.attributes).toEqual({ ...answered, 'http.request.resend_count': 2 });
  const continued = [first, third].map(({ spanId }) => `00-${traceId}-${spanId}-01`);
  expect(receiver.received.map(({ headers }) => headers['traceparent'])).toEqual(continued);
  const guard = new EgressGuard();
  for (const [scheme, port] of [['http', 80] as const, ['https', 443] as const]) {
    const { attributes } = await spanOf(`${scheme}://127.0.0.1/`, { guard });
    expect(attributes).toEqual({ ...request, 'server.port': port, 'error.type': '_OTHER' });
  }
});
