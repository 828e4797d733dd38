import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { allowedMs, until } from '@tautan/kit/testing';
import mongoose, { type Connection } from 'mongoose';
import { aPrincipal, as, startService, untilReady, type TestService } from './testing/service.js';

type Binary = mongoose.mongo.Binary;

let service: TestService;
let database: Connection;

beforeAll(async () => {
  service = await startService();
  const { mongodbUri, database: dbName } = service.servers;
  database = await mongoose.createConnection(mongodbUri, { dbName }).asPromise();
  await untilReady(service);
});
afterAll(async () => {
  await database.dropDatabase();
  await database.close();
  await service.stop();
});

const by = aPrincipal();
const sha = (text: string): Buffer => createHash('sha256').update(text).digest();
const holder = { process: newUlid() };
const begin = (key: string, body = 'body', principal = by) =>
  service.idempotency.call('BeginRequest', { key, fingerprint: sha(body), holder }, as(principal));
const complete = (key: string, claimId: string, body = 'answer', principal = by) =>
  service.idempotency.call('CompleteRequest', { key, claimId, answer: { status: 201, body } }, as(principal));
const release = (key: string, claimId: string) => service.idempotency.call('ReleaseRequest', { key, claimId }, as(by));
const renew = (...claimIds: string[]) => service.idempotency.call('RenewRequests', { claimIds }, as());
const releaseInstance = (process: string, instance?: string) =>
  service.idempotency.call('ReleaseInstance', { process, ...(instance && { instance }) }, as());
const requests = () => database.collection<{ _id: string; expireAt: Date }>('idempotent_requests');
const idOf = (key: string) => `${by.workspaceId}/${sha(key).toString('hex')}`;

describe('an Idempotency-Key', () => {
  test('is claimed by exactly one of 100 concurrent requests', async () => {
    const key = newUlid();
    const begun = await Promise.all(Array.from({ length: 100 }, () => begin(key)));
    const states = begun.map(({ state }) => state);
    expect(states.filter((state) => state === 'claimed')).toHaveLength(1);
    expect(states.filter((state) => state === 'in_progress')).toHaveLength(99);
  });

  test('replays its first response', async () => {
    const key = newUlid();
    const { claimId } = await begin(key);
    await complete(key, claimId, '{"é":1}');
    expect(await begin(key)).toMatchObject({ state: 'replay', answer: { status: 201, body: '{"é":1}' } });
    await complete(key, claimId, 'another');
    expect((await begin(key)).answer?.body).toBe('{"é":1}');
  });

  test('stores its response encrypted and bound to its request', async () => {
    const [key, other] = [newUlid(), newUlid()];
    const { claimId } = await begin(key);
    await complete(key, claimId, '{"key":"tau_live_secret"}');
    const { answer } = (await requests().findOne({ _id: idOf(key) })) as unknown as { answer: { sealed: Binary } };
    expect(Object.keys(answer).sort()).toEqual(['sealed', 'status']);
    expect(Buffer.from(answer.sealed.buffer).toString('latin1')).not.toContain('tau_live');
    await complete(other, (await begin(other)).claimId, '{}');
    await requests().updateOne({ _id: idOf(other) }, { $set: { answer } });
    await expect(begin(other)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('rejects a different request, both while the first is running and afterwards', async () => {
    const key = newUlid();
    const { claimId } = await begin(key, 'one');
    expect((await begin(key, 'two')).state).toBe('mismatch');
    await complete(key, claimId);
    expect((await begin(key, 'two')).state).toBe('mismatch');
  });

  test('belongs to its workspace', async () => {
    const key = newUlid();
    const other = aPrincipal();
    const { claimId } = await begin(key);
    expect((await begin(key, 'else', other)).state).toBe('claimed');
    await expect(complete(key, claimId, 'x', aPrincipal())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(service.idempotency.call('BeginRequest', { key, fingerprint: sha('') }, as())).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  test('that was released is claimed again exactly once, for the same operation', async () => {
    const key = newUlid();
    const { operationId, claimId } = await begin(key);
    await release(key, claimId);
    const again = await Promise.all(Array.from({ length: 20 }, () => begin(key)));
    const claimed = again.filter(({ state }) => state === 'claimed');
    expect(claimed.map((begun) => begun.operationId)).toEqual([operationId]);
  });

  test('that was completed is not released', async () => {
    const key = newUlid();
    const { claimId } = await begin(key);
    await complete(key, claimId);
    await release(key, claimId);
    expect((await begin(key)).state).toBe('replay');
  });

  test('whose claim was taken over cannot be released or completed by the previous holder', async () => {
    const key = newUlid();
    const first = await begin(key);
    await release(key, first.claimId);
    const second = await begin(key);
    expect(second).toMatchObject({ state: 'claimed', operationId: first.operationId });
    await release(key, first.claimId);
    expect((await begin(key)).state).toBe('in_progress');
    await expect(complete(key, first.claimId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await renew(first.claimId, second.claimId)).toEqual({ lost: [first.claimId] });
    await complete(key, second.claimId);
    expect(await renew(second.claimId)).toEqual({ lost: [second.claimId] });
  });

  test('is released when the gateway instance that claimed it restarts, not when another one does', async () => {
    const keys = [newUlid(), newUlid(), newUlid(), newUlid()] as const;
    const [previous, current, instance] = [newUlid(), newUlid(), `host:${newUlid()}`];
    const beginAs = (key: string, process: string, runningInstance?: string) =>
      service.idempotency.call(
        'BeginRequest',
        { key, fingerprint: sha('body'), holder: { process, ...(runningInstance && { instance: runningInstance }) } },
        as(by),
      );
    await beginAs(keys[0], previous, instance);
    await beginAs(keys[1], current, instance);
    await beginAs(keys[2], previous, 'another:1');
    await beginAs(keys[3], previous);
    await releaseInstance(current, instance);
    await releaseInstance(current);
    const states = await Promise.all(keys.map(async (key) => (await begin(key)).state));
    expect(states).toEqual(['claimed', 'in_progress', 'in_progress', 'in_progress']);
    await expect(releaseInstance('', instance)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'process' });
  });

  test('expires a day after its response', async () => {
    const key = newUlid();
    const { operationId, claimId } = await begin(key);
    await complete(key, claimId);
    const { expireAt } = (await requests().findOne({ _id: idOf(key) }))!;
    expect(Math.abs(expireAt.getTime() - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    await requests().updateOne({ _id: idOf(key) }, { $set: { expireAt: new Date(Date.now() - 1) } });
    const fresh = await begin(key, 'another body');
    expect(fresh.state).toBe('claimed');
    expect(fresh.operationId).not.toBe(operationId);
    const index = (await requests().indexes()).find(({ expireAfterSeconds }) => expireAfterSeconds === 0);
    expect(index?.key).toEqual({ expireAt: 1 });
  });

  test.each(['', 'x'.repeat(256), 'a\nb', 'naïve', '\u0000'])('%j is rejected', async (key) => {
    await expect(begin(key)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'Idempotency-Key' });
  });

  test('requires a complete fingerprint, a valid response and an existing claim', async () => {
    const short = service.idempotency.call('BeginRequest', { key: 'k', fingerprint: Buffer.alloc(31) }, as(by));
    await expect(short).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'fingerprint' });
    const unheld = service.idempotency.call('BeginRequest', { key: 'k', fingerprint: sha('body') }, as(by));
    await expect(unheld).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'process' });
    for (const status of [undefined, 199, 600]) {
      const answer = status === undefined ? undefined : { status, body: '' };
      await expect(
        service.idempotency.call('CompleteRequest', { key: 'k', ...(answer && { answer }) }, as(by)),
      ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'answer.status' });
    }
    for (const status of [200, 599]) {
      const key = newUlid();
      const { claimId } = await begin(key);
      await service.idempotency.call('CompleteRequest', { key, claimId, answer: { status, body: '' } }, as(by));
      expect(await begin(key)).toMatchObject({ state: 'replay', answer: { status } });
    }
    await expect(complete('unknown', newUlid())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the claim of a request', () => {
  const HOUR_MS = 3_600_000;
  /** Two replicas. The clock of the first is ahead by `clockOffsetMs`; the clock of the second is behind by as much. */
  const replicas: TestService[] = [];
  let clockOffsetMs = 0;
  beforeAll(async () => {
    for (const direction of [1, -1]) {
      const now = () => new Date(Date.now() + direction * clockOffsetMs);
      const replica = await startService({}, { servers: service.servers, now });
      replicas.push(replica);
      await untilReady(replica);
    }
  });
  afterAll(() => Promise.all(replicas.map((replica) => replica.stop())));

  const beginAt = ({ idempotency }: TestService, key: string) =>
    idempotency.call('BeginRequest', { key, fingerprint: sha('body'), holder }, as(by));
  const beginEverywhere = (key: string) => Promise.all([service, ...replicas].map((replica) => beginAt(replica, key)));
  /** Tries to claim the key on all replicas until one succeeds. Returns the time this took, and the claims. */
  async function untilClaimed(key: string) {
    const began = performance.now();
    let claimed: { operationId: string }[] = [];
    await until(async () => {
      claimed = (await beginEverywhere(key)).filter(({ state }) => state === 'claimed');
      return claimed.length > 0;
    }, 60_000);
    return { ms: performance.now() - began, claimed };
  }

  test("ends a few seconds after the process that holds it crashed, even if a replica's clock was set back by an hour", async () => {
    const key = newUlid();
    clockOffsetMs = HOUR_MS;
    const { operationId } = await beginAt(replicas[0]!, key);
    clockOffsetMs = 0;
    const { ms, claimed } = await untilClaimed(key);
    expect(claimed.map((begun) => begun.operationId)).toEqual([operationId]);
    expect(ms).toBeGreaterThan(2_000);
    expect(ms).toBeLessThan(allowedMs(6_000));
  });

  test('lasts while it is renewed, with clocks two hours apart', async () => {
    const key = newUlid();
    clockOffsetMs = HOUR_MS;
    const { claimId, operationId } = await begin(key);
    for (let renewal = 0; renewal < 12; renewal += 1) {
      expect(await renew(claimId)).toEqual({ lost: [] });
      const states = (await beginEverywhere(key)).map(({ state }) => state);
      expect(states).toEqual(['in_progress', 'in_progress', 'in_progress']);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const { claimed } = await untilClaimed(key);
    expect(claimed.map((begun) => begun.operationId)).toEqual([operationId]);
    expect(await renew(claimId)).toEqual({ lost: [claimId] });
  });
});
