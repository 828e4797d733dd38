import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, spansTo, startTraceCollector, type CollectedSpan, type TraceCollector } from '@tautan/kit/testing';
import { apiClient, type ApiLink, type Client } from '../support/client.js';
import type { ApiDelivery, EndpointWithSecret } from '../support/events.js';
import { accepted } from '../support/people.js';
import { startRedirectReplica, type Replica } from '../support/processes.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';

// The redirect process of the stack traces every redirect. The replica `untraced` has the default REDIRECT_TRACE_RATIO,
// 0.
let collector: TraceCollector;
let stack: Stack;
let api: Client;
let receiver: Receiver;
let untraced: Replica;

beforeAll(async () => {
  collector = await startTraceCollector();
  receiver = await startReceiver();
  stack = await startStack({ env: { ...collector.env, REDIRECT_TRACE_RATIO: '1' } });
  api = apiClient(stack);
  untraced = await startRedirectReplica(stack, join(stack.dataDir, 'more-clicks'), collector.env);
});
afterAll(async () => {
  await untraced?.stop();
  await stack?.stop();
  await receiver?.stop();
  await collector?.stop();
});

const WAIT_MS = 20_000;
/** A trace of the caller, and the header that names it. */
function callersTrace(flags = '01') {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}
type CallersTrace = ReturnType<typeof callersTrace>;
const ofTrace = (id: string): CollectedSpan[] => collector.spans.filter(({ traceId }) => traceId === id);
const labelOf = ({ kind, name }: CollectedSpan): string => `${kind} ${name}`;
const received = (id: string, kind: string, name: string): Promise<CollectedSpan> =>
  eventually(() => {
    const span = ofTrace(id).find((each) => labelOf(each) === `${kind} ${name}`);
    if (!span) throw new Error(`no ${kind} ${name} in\n${ofTrace(id).map(labelOf).join('\n')}`);
    return span;
  }, WAIT_MS);
/** Returns the path from the caller's span to the named one, once all processes on it have exported their spans. */
const pathTo = ({ traceId, spanId }: CallersTrace, kind: string, name: string): Promise<string[]> =>
  eventually(async () => {
    const path = spansTo(await received(traceId, kind, name), collector.spans);
    expect(path[0]!.parentSpanId).toBe(spanId);
    return path.map(labelOf);
  }, WAIT_MS);

/** Returns the log lines of a trace from all services. */
async function logged(traceId: string): Promise<{ service: string; msg: string; span_id: string }[]> {
  const folder = join(stack.dataDir, 'logs');
  const logs = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  const lines = logs.flatMap((log) => log.split('\n')).filter((line) => line.includes(`"trace_id":"${traceId}"`));
  return lines.map((line) => JSON.parse(line) as { service: string; msg: string; span_id: string });
}

async function anEndpoint(path: string, events: string[]): Promise<EndpointWithSecret> {
  return accepted(await api.post<EndpointWithSecret>('/webhooks', { url: `${receiver.url}/${path}`, events }));
}
const aLink = async (headers: Record<string, string> = {}): Promise<ApiLink> =>
  accepted(await api.post<ApiLink>('/links', { url: 'https://example.com/secret-destination' }, headers));
const create = 'tautan.links.v1.Links/CreateLink';

describe('the trace of a change', () => {
  let caller: CallersTrace;
  beforeAll(async () => {
    caller = callersTrace();
    await anEndpoint('secret-path', ['link.created']);
    // Wait, because audit entries written in one batch are in the trace of the first entry.
    await eventually(async () => {
      const { data } = await api.get<object[]>('/audit-log?action=webhook_endpoint.created');
      expect(data).toHaveLength(1);
    }, WAIT_MS);
    await aLink(caller.headers);
    await received(caller.traceId, 'client', 'POST');
  });

  test('runs from the request through gRPC, MongoDB and NATS to the webhook', async () => {
    const request = ['server POST /api/v1/links', `client ${create}`, `server ${create}`];
    const event = [...request, 'producer publish events.link.created', 'consumer process events.link.created'];
    expect(await pathTo(caller, 'client', 'POST')).toEqual([...event, 'client POST']);
    expect(await pathTo(caller, 'client', 'insert links')).toEqual([...request, 'client insert links']);
    expect(await pathTo(caller, 'client', 'insert outbox')).toEqual([...request, 'client insert outbox']);
    expect(await pathTo(caller, 'client', 'insert deliveries')).toEqual([...event, 'client insert deliveries']);
    // The workspace's number of links and the audit entry are usually written in one batch, and the batch has a span of
    // its own.
    const audit = await pathTo(caller, 'client', 'insert audit');
    expect(audit.filter((span) => span !== 'internal batch')).toEqual([...event, 'client insert audit']);
  });

  test('continues the span of the caller', async () => {
    const root = await received(caller.traceId, 'server', 'POST /api/v1/links');
    expect(root).toMatchObject({ parentSpanId: caller.spanId, failed: false, service: 'tautan-gateway' });
    expect(root.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/links',
      'http.response.status_code': 201,
      'tautan.request_id': expect.stringMatching(/^req_/),
    });
  });

  test('reaches the receiver of the webhook in the traceparent header', async () => {
    const attempt = await received(caller.traceId, 'client', 'POST');
    expect(receiver.of('link.created')[0]!.headers['traceparent']).toBe(`00-${caller.traceId}-${attempt.spanId}-01`);
    expect(attempt).toMatchObject({ failed: false, attributes: { 'http.response.status_code': 204 } });
  });

  test('appears in the log lines of the services that it passes through', async () => {
    const lines = await logged(caller.traceId);
    expect(lines.map(({ service, msg }) => `${service} ${msg}`)).toEqual(
      expect.arrayContaining(['gateway request', 'links rpc']),
    );
    const rpc = await received(caller.traceId, 'server', create);
    expect(lines.find(({ service }) => service === 'links')!.span_id).toBe(rpc.spanId);
  });

  test('contains no link destination, webhook path or credential', () => {
    const text = JSON.stringify(ofTrace(caller.traceId).map(({ name, attributes }) => [name, attributes]));
    expect(text).not.toMatch(/secret-destination|secret-path|example\.com/);
    expect(text).not.toContain(stack.apiKey);
  });
});

test('a failed attempt and its retry are in the trace of the change', async () => {
  const caller = callersTrace();
  receiver.answer = (response, path) => void response.writeHead(path.endsWith('/failing') ? 500 : 204).end();
  await anEndpoint('failing', ['link.created']);
  await aLink(caller.headers);
  const attempts = await eventually(() => {
    const found = ofTrace(caller.traceId).filter((span) => labelOf(span) === 'client POST' && span.failed);
    expect(found.length).toBeGreaterThanOrEqual(2);
    return found;
  }, 30_000);
  expect(attempts.map(({ attributes }) => attributes['http.request.resend_count'])).toEqual(
    expect.arrayContaining([undefined, 1]),
  );
  expect(new Set(attempts.map(({ parentSpanId }) => parentSpanId)).size).toBe(1);
  expect(attempts[0]!.attributes['error.type']).toBe('500');
  receiver.answer = (response) => void response.writeHead(204).end();
});

test('a manual retry is in the trace of its request', async () => {
  const { id } = await anEndpoint('by-hand', ['link.created']);
  await aLink();
  const delivery = await eventually(async () => {
    const [first] = accepted(await api.get<ApiDelivery[]>(`/webhooks/deliveries?subscriptionId=${id}`));
    expect(first?.status).toBe('succeeded');
    return first!;
  });
  const caller = callersTrace();
  accepted(await api.post(`/webhooks/deliveries/${delivery.id}/retry`, undefined, caller.headers));
  const [request] = await pathTo(caller, 'client', 'POST');
  expect(request).toBe('server POST /api/v1/webhooks/deliveries/{id}/retry');
});

test('the sampled flag of a caller does not decide whether a request is traced', async () => {
  const caller = callersTrace('00');
  await aLink(caller.headers);
  await received(caller.traceId, 'server', create);
});

test('a request for an unknown link marks the gRPC client span as failed, but not the server spans', async () => {
  const caller = callersTrace();
  const { status } = await api.get('/links/lnk_00000000000000000000000000', caller.headers);
  expect(status).toBe(404);
  const request = await received(caller.traceId, 'server', 'GET /api/v1/links/{id}');
  expect(request).toMatchObject({ failed: false, attributes: { 'http.response.status_code': 404 } });
  const get = 'tautan.links.v1.Links/GetLink';
  expect(await received(caller.traceId, 'server', get)).toMatchObject({
    failed: false,
    attributes: { 'rpc.response.status_code': 'NOT_FOUND' },
  });
  expect((await received(caller.traceId, 'client', get)).failed).toBe(true);
});

describe('redirects', () => {
  const visit = (base: string, { slug }: ApiLink, headers: Record<string, string> = {}) =>
    fetch(`${base}/${slug}`, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0', ...headers },
    });
  const counted = (link: ApiLink): Promise<void> =>
    eventually(async () => {
      expect(accepted(await api.get<ApiLink>(`/links/${link.id}`)).clickCount).toBe(1);
    }, WAIT_MS);

  test('are traced through to the statistics if they are sampled', async () => {
    const link = await aLink();
    const caller = callersTrace();
    expect((await visit(stack.baseUrl, link, caller.headers)).status).toBe(302);
    await counted(link);
    const [redirect, publish, process, ...rest] = await pathTo(caller, 'client', 'insert applied_batches');
    expect([redirect, ...rest]).toEqual(['server GET /{slug}', 'client insert applied_batches']);
    expect(publish).toMatch(/^producer publish clicks\.\d+$/);
    expect(process).toMatch(/^consumer process clicks\.\d+$/);
    expect(ofTrace(caller.traceId).find(({ kind }) => kind === 'server')!.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/{slug}',
      'http.response.status_code': 302,
    });
  });

  test('are not traced by default', async () => {
    const link = await aLink();
    const caller = callersTrace();
    expect((await visit(untraced.http, link, caller.headers)).status).toBe(302);
    await counted(link);
    // The process that counted the visit also exports spans of this later trace. Once one of them has arrived, any
    // spans of the visit from that process would have arrived too.
    const after = callersTrace();
    await aLink(after.headers);
    await received(after.traceId, 'server', create);
    expect(ofTrace(caller.traceId)).toEqual([]);
    expect(
      collector.spans
        .filter(({ kind, parentSpanId }) => kind !== 'server' && parentSpanId === undefined)
        .map(({ name }) => name),
    ).toEqual([]);
  });
});
