import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import mongoose, { type Connection } from 'mongoose';

type Binary = mongoose.mongo.Binary;
import { aPrincipal, as, startService, type TestService } from './testing/service.js';

let service: TestService;
let database: Connection;

beforeAll(async () => {
  service = await startService();
  const { mongodbUri, database: dbName } = service.servers;
  database = await mongoose.createConnection(mongodbUri, { dbName }).asPromise();
  await until(async () => (await fetch(`${service.adminUrl}/readyz`)).status === 200);
});
afterAll(async () => {
  await database.dropDatabase();
  await database.close();
  await service.stop();
});

const by = aPrincipal();
const sha = (text: string): Buffer => createHash('sha256').update(text).digest();
const begin = (key: string, body = 'body', principal = by, leaseMs?: number) =>
  service.idempotency.call('BeginRequest', { key, fingerprint: sha(body), ...(leaseMs && { leaseMs }) }, as(principal));
const complete = (key: string, operationId: string, body = 'answer', principal = by) =>
  service.idempotency.call('CompleteRequest', { key, operationId, answer: { status: 201, body } }, as(principal));
const release = (key: string, operationId: string) =>
  service.idempotency.call('ReleaseRequest', { key, operationId }, as(by));
const requests = () => database.collection<{ _id: string; leaseUntil: Date; expireAt: Date }>('idempotent_requests');
const idOf = (key: string) => `${by.workspaceId}/${sha(key).toString('hex')}`;

describe('an Idempotency-Key', () => {
  test('is claimed once by 100 concurrent requests', async () => {
    const key = newUlid();
    const begun = await Promise.all(Array.from({ length: 100 }, () => begin(key)));
    const states = begun.map(({ state }) => state);
    expect(states.filter((state) => state === 'claimed')).toHaveLength(1);
    expect(states.filter((state) => state === 'in_progress')).toHaveLength(99);
  });

  test('replays its first answer', async () => {
    const key = newUlid();
    const { operationId } = await begin(key);
    await complete(key, operationId, '{"é":1}');
    expect(await begin(key)).toMatchObject({ state: 'replay', answer: { status: 201, body: '{"é":1}' } });
    await complete(key, operationId, 'another');
    expect((await begin(key)).answer?.body).toBe('{"é":1}');
  });

  test('has its answer stored encrypted, bound to its request', async () => {
    const [key, other] = [newUlid(), newUlid()];
    const { operationId } = await begin(key);
    await complete(key, operationId, '{"key":"tau_live_secret"}');
    const { answer } = (await requests().findOne({ _id: idOf(key) })) as unknown as { answer: { sealed: Binary } };
    expect(Object.keys(answer).sort()).toEqual(['sealed', 'status']);
    expect(Buffer.from(answer.sealed.buffer).toString('latin1')).not.toContain('tau_live');
    await complete(other, (await begin(other)).operationId, '{}');
    await requests().updateOne({ _id: idOf(other) }, { $set: { answer } });
    await expect(begin(other)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('does not fit another request, running or done', async () => {
    const key = newUlid();
    const { operationId } = await begin(key, 'one');
    expect((await begin(key, 'two')).state).toBe('mismatch');
    await complete(key, operationId);
    expect((await begin(key, 'two')).state).toBe('mismatch');
  });

  test('belongs to its workspace', async () => {
    const key = newUlid();
    const other = aPrincipal();
    const { operationId } = await begin(key);
    expect((await begin(key, 'else', other)).state).toBe('claimed');
    await expect(complete(key, operationId, 'x', aPrincipal())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(service.idempotency.call('BeginRequest', { key, fingerprint: sha('') }, as())).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  test('that was released is claimed again by one, for the same operation', async () => {
    const key = newUlid();
    const { operationId } = await begin(key);
    await release(key, operationId);
    const again = await Promise.all(Array.from({ length: 20 }, () => begin(key)));
    const claimed = again.filter(({ state }) => state === 'claimed');
    expect(claimed.map((begun) => begun.operationId)).toEqual([operationId]);
  });

  test('that was answered is not released', async () => {
    const key = newUlid();
    const { operationId } = await begin(key);
    await complete(key, operationId);
    await release(key, operationId);
    expect((await begin(key)).state).toBe('replay');
  });

  test('whose request was lost is claimed again after a minute, for the same operation', async () => {
    const key = newUlid();
    const { operationId } = await begin(key);
    const { leaseUntil } = (await requests().findOne({ _id: idOf(key) }))!;
    const lease = leaseUntil.getTime() - Date.now();
    expect(lease).toBeGreaterThan(50_000);
    expect(lease).toBeLessThanOrEqual(60_000);
    await requests().updateOne({ _id: idOf(key) }, { $set: { leaseUntil: new Date(Date.now() - 1) } });
    const again = await Promise.all(Array.from({ length: 20 }, () => begin(key)));
    expect(again.filter(({ state }) => state === 'claimed').map((begun) => begun.operationId)).toEqual([operationId]);
  });

  test('is lent for as long as the request may run, and no longer than a minute', async () => {
    const key = newUlid();
    const { operationId } = await begin(key, 'body', by, 50);
    await until(async () => {
      const again = await begin(key, 'body', by, 50);
      return again.state === 'claimed' && again.operationId === operationId;
    });
    for (const leaseMs of [-1, 60_001]) {
      await expect(begin(newUlid(), 'body', by, leaseMs)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'leaseMs' }); // prettier-ignore
    }
  });

  test('is forgotten a day after its answer', async () => {
    const key = newUlid();
    const { operationId } = await begin(key);
    await complete(key, operationId);
    const { expireAt } = (await requests().findOne({ _id: idOf(key) }))!;
    expect(Math.abs(expireAt.getTime() - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    await requests().updateOne({ _id: idOf(key) }, { $set: { expireAt: new Date(Date.now() - 1) } });
    const fresh = await begin(key, 'another body');
    expect(fresh.state).toBe('claimed');
    expect(fresh.operationId).not.toBe(operationId);
    const index = (await requests().indexes()).find(({ expireAfterSeconds }) => expireAfterSeconds === 0);
    expect(index?.key).toEqual({ expireAt: 1 });
  });

  test.each(['', 'x'.repeat(256), 'a\nb', 'naïve', '\u0000'])('%j is refused', async (key) => {
    await expect(begin(key)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'Idempotency-Key' });
  });

  test('needs a whole fingerprint and a real answer', async () => {
    const short = service.idempotency.call('BeginRequest', { key: 'k', fingerprint: Buffer.alloc(31) }, as(by));
    await expect(short).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'fingerprint' });
    await expect(service.idempotency.call('CompleteRequest', { key: 'k' }, as(by))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'answer.status',
    });
    await expect(complete('unheard', newUlid())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
