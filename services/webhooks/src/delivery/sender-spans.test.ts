import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, EgressGuard, inTrace, startTelemetry } from '@tautan/kit';
import { startTraceCollector, until, type TraceCollector } from '@tautan/kit/testing';
import { Receiver } from '../testing/receiver.js';
import { Sender } from './sender.js';

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

test.each([
  ['that was not permitted', undefined, false, 200],
  ['that succeeded', undefined, true, 200],
  ['that the receiver rejected', '500', true, 500],
])('the span of an attempt %s has the error type %j', async (_which, errorType, isPermitted, status) => {
  collector.spans.splice(0);
  receiver.respond = (_request, response) => void response.writeHead(status).end();
  const guard = new EgressGuard({ allowLoopback: true });
  const sender = new Sender({ guard, timeoutMs: 1_000, now: () => new Date(), permitted: () => isPermitted });
  const caller = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await inTrace(caller, () => sender.send({ url: receiver.url(), headers: {}, body: '{}' }));
  await sender.stop();
  const span = await until(() => collector.spans[0]);
  expect([span.failed, span.attributes['error.type']]).toEqual([errorType !== undefined, errorType]);
});
