import { expect, test } from '@jest/globals';
import { fail, type Fault } from '../errors.js';
import { Breaker } from '../rpc/breaker.js';
import type { Log } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import { Upstream } from './upstream.js';

const down = new Error('down');
const refusal = new Error('refused');

function anUpstream() {
  const lines: string[] = [];
  const write = (level: string) => (fields: { what: string; reason: string }, message: string) =>
    void lines.push(`${level}: ${message}: ${fields.what}, ${fields.reason}`);
  const registry = createMetrics('test');
  const upstream = new Upstream({
    name: 'payment',
    breaker: new Breaker(2, 60_000),
    log: { error: write('error'), warn: write('warn') } as unknown as Log,
    registry,
    isRefusal: (error) => error === refusal,
    reasonOf: (error) => (error as Error).message,
  });
  const failure = (error: Error): Promise<Fault> =>
    upstream
      .call('charge', () => Promise.reject(error))
      .then(
        () => Promise.reject(new Error('The call succeeded.')),
        (thrown: Fault) => thrown,
      );
  /** Returns whether the duration metric of calls with this outcome has the label `call="charge"`, and its count. */
  const counted = async (outcome: string) => {
    const line = (await registry.metrics())
      .split('\n')
      .find((each) => each.includes('request_duration_seconds_count{') && each.includes(`outcome="${outcome}"`));
    return [line?.includes('call="charge"'), Number(line?.split(' ').at(-1))];
  };
  return { upstream, failure, lines, counted, registry };
}

const unavailable = { code: 'UPSTREAM_UNAVAILABLE', message: expect.stringContaining('payment provider') };

test('a call returns its result', async () => {
  const { upstream, counted, lines } = anUpstream();
  expect(await upstream.call('charge', async () => 7)).toBe(7);
  expect(await counted('ok')).toEqual([true, 1]);
  expect(lines).toEqual([]);
});

test('after consecutive failures, no call is made for a while', async () => {
  const { upstream, failure, lines, counted, registry } = anUpstream();
  upstream.recordRetryAfter(503, '30');
  for (let i = 0; i < 2; i += 1) expect(await failure(down)).toMatchObject(unavailable);
  let calls = 0;
  const refused = { ...unavailable, retryAfter: 30 };
  await expect(upstream.call('charge', async () => (calls += 1))).rejects.toMatchObject(refused);
  expect(await registry.metrics()).toMatch(/^tautan_circuit_breaker_open\{.*peer="payment_provider".*\} 1$/m);
  expect(calls).toBe(0);
  expect(lines).toEqual(Array(2).fill('warn: the payment provider failed: charge, down'));
  expect(await counted('failed')).toEqual([true, 2]);
});

test('failures are not consecutive if a call in between succeeds or is refused', async () => {
  const { upstream, failure } = anUpstream();
  await failure(down);
  await upstream.call('charge', async () => 7);
  await failure(down);
  await failure(refusal);
  await failure(down);
  expect(await upstream.call('charge', async () => 7)).toBe(7);
});

test('a provider that refuses requests counts as available, and the refusal is logged as an error', async () => {
  const { upstream, failure, lines, counted } = anUpstream();
  for (let i = 0; i < 3; i += 1) expect(await failure(refusal)).toMatchObject(unavailable);
  expect(await upstream.call('charge', async () => 7)).toBe(7);
  expect(lines).toEqual(Array(3).fill('error: the payment provider refused a request: charge, refused'));
  expect(await counted('refused')).toEqual([true, 3]);
});

test('a fault that reports a response of the provider is rethrown', async () => {
  const { upstream, failure, lines } = anUpstream();
  const fault = fail('VALIDATION_ERROR', 'No such plan.', 'plan');
  for (let i = 0; i < 3; i += 1) expect(await failure(fault)).toBe(fault);
  expect(await upstream.call('charge', async () => 7)).toBe(7);
  expect(lines).toEqual([]);
});

test('a fault that reports an unavailable provider counts as a failure', async () => {
  const { upstream, failure } = anUpstream();
  for (let i = 0; i < 2; i += 1) await failure(fail('UPSTREAM_UNAVAILABLE', 'down'));
  await expect(upstream.call('charge', async () => 7)).rejects.toMatchObject(unavailable);
});

test.each([
  [429, '30', 30],
  [503, '30', 30],
  [503, '7200', 3_600],
  [500, '30', undefined],
  [200, '30', undefined],
  [undefined, '30', undefined],
  [503, null, undefined],
  [503, undefined, undefined],
  [503, 'soon', undefined],
  [503, '0', undefined],
])(
  'after a response with the status %p and Retry-After %p, an error has the retryAfter %p',
  async (status, header, seconds) => {
    const { upstream, failure } = anUpstream();
    upstream.recordRetryAfter(status, header);
    expect((await failure(down)).retryAfter).toBe(seconds);
  },
);

test('until a call succeeds, a fault that reports a response of the provider has the delay of Retry-After', async () => {
  const { upstream, failure } = anUpstream();
  const fault = fail('VALIDATION_ERROR', 'No such plan.', 'plan');
  upstream.recordRetryAfter(429, '30');
  expect(await failure(fault)).toMatchObject({ code: 'VALIDATION_ERROR', field: 'plan', retryAfter: 30 });
  await upstream.call('charge', async () => 7);
  expect(await failure(fault)).toBe(fault);
});
