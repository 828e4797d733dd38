import { Metadata, status as Status } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { fail, notConfigured } from '../errors.js';
import type { Transact } from '../mongo/outbox.js';
import { callSpan } from './call-span.js';
import { forCall } from './for-call.js';
import { carriesFault, fromStatus, toStatus } from './status.js';

test('a fault becomes a gRPC status with its code as the details, and is restored from the status', () => {
  const status = toStatus(fail('SLUG_TAKEN', 'Taken.', 'slug', 3));
  expect(status).toMatchObject({ code: Status.ALREADY_EXISTS, details: 'SLUG_TAKEN' });
  expect(carriesFault(status)).toBe(true);
  expect(fromStatus(status)).toMatchObject({ code: 'SLUG_TAKEN', message: 'Taken.', field: 'slug', retryAfter: 3 });
});

test('a fault that is restored from its status keeps the reason NOT_CONFIGURED', () => {
  const fault = fromStatus(toStatus(notConfigured('Billing is not configured.')));
  expect(fault).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Billing is not configured.',
    reason: 'NOT_CONFIGURED',
  });
  expect(fromStatus(toStatus(fail('SERVICE_UNAVAILABLE', 'Starting.'))).reason).toBeUndefined();
});

test('the message and the field of a fault are shortened to 1,000 characters', () => {
  const long = 'x'.repeat(1_000);
  expect(fromStatus(toStatus(fail('NOT_FOUND', long, long)))).toMatchObject({ message: long, field: long });
  const shortened = `${'x'.repeat(999)}…`;
  expect(fromStatus(toStatus(fail('NOT_FOUND', `${long}x`, `${long}x`)))).toMatchObject({
    message: shortened,
    field: shortened,
  });
});

const reset = 'Received RST_STREAM with code 2';
test.each([
  [{ code: Status.DEADLINE_EXCEEDED }, 'TIMEOUT'],
  [{ code: Status.UNAVAILABLE }, 'SERVICE_UNAVAILABLE'],
  [{ code: Status.CANCELLED }, 'SERVICE_UNAVAILABLE'],
  [{ code: Status.INTERNAL, details: reset }, 'SERVICE_UNAVAILABLE'],
  [{ code: Status.UNKNOWN, details: reset }, 'INTERNAL_ERROR'],
  [{ code: Status.INTERNAL, details: `x ${reset}` }, 'INTERNAL_ERROR'],
  [{ code: Status.INTERNAL }, 'INTERNAL_ERROR'],
  [{ code: Status.UNAVAILABLE, metadata: new Metadata() }, 'SERVICE_UNAVAILABLE'],
])('the transport error %j becomes %s', (error, code) => {
  expect(carriesFault(error)).toBe(false);
  expect(fromStatus(error)).toMatchObject({ code, field: undefined, retryAfter: undefined });
});

test.each(['BREWING', 'toString'])(
  'if the code of a fault is unknown (%s), the code is derived from the status',
  (unknown) => {
    const metadata = new Metadata();
    metadata.set('fault-bin', Buffer.from(JSON.stringify({ code: unknown, message: 'x' })));
    expect(fromStatus({ code: Status.UNAVAILABLE, metadata }).code).toBe('SERVICE_UNAVAILABLE');
  },
);

test('the span of a call is named after its method; only server errors mark a server span as failed', () => {
  const path = '/tautan.links.v1.Links/GetLink';
  const [client, server] = [callSpan('client', path), callSpan('server', path)];
  expect(client).toMatchObject({
    name: 'tautan.links.v1.Links/GetLink',
    options: { kind: 'client', attributes: { 'rpc.method': 'tautan.links.v1.Links/GetLink' } },
  });
  const errors = [{ code: Status.NOT_FOUND }, { code: Status.INTERNAL }, new Error('x')];
  expect(errors.map(client.options.errorOf!)).toEqual(['NOT_FOUND', 'INTERNAL', 'UNKNOWN']);
  expect(errors.map(server.options.errorOf!)).toEqual([undefined, 'INTERNAL', 'UNKNOWN']);
});

test('dependencies for a call have its signal and deadline, and its transactions get the signal', async () => {
  const { signal } = new AbortController();
  const received: unknown[] = [];
  const transact = (async (...args: unknown[]) => void received.push(...args)) as unknown as Transact;
  const deps = forCall({ transact, other: 1 }, { signal, deadline: 2 });
  expect(deps).toMatchObject({ other: 1, signal, deadline: 2 });
  const work = async () => {};
  await deps.transact(null, work);
  expect(received).toEqual([null, work, signal]);
});
