import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { eventually, until } from '@tautan/kit/testing';
import { readQrConfig } from './config.js';
import { UNCLAIMED } from './domain/qr-code.js';
import { start } from './main.js';
import { aPrincipal, startService, type TestService } from './testing/service.js';

const HOUR_MS = 3_600_000;
let service: TestService;
beforeAll(async () => void (service = await startService({ ABANDONED_MS: '3000', LEASE_MS: '2500' })));
afterEach(() => service.linkProxy.restore());
afterAll(() => service.stop());

const unavailable = { code: 'SERVICE_UNAVAILABLE' };
const codesOf = (workspaceId: string) => service.models.qrCodes.find({ workspaceId }).lean();

describe('a creation', () => {
  test.each(['before', 'after'] as const)(
    'is completed by a retry if it failed %s the link service applied it',
    async (when) => {
      const { aCode, get, workspaceId, tags } = service.as();
      const operationId = newUlid();
      const fields = { operationId, title: 'Poster', tags: ['one'] };
      service.linkProxy.failOn('PutQrRoute', when);
      await expect(aCode(fields)).rejects.toMatchObject(unavailable);
      await expect(get(`qr_${operationId}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      service.linkProxy.restore();
      const code = await aCode(fields);
      expect(code).toMatchObject({ id: `qr_${operationId}`, title: 'Poster', tags: ['one'] });
      expect(await aCode(fields)).toEqual(code);
      expect((await tags('ListTags', {})).tags).toMatchObject([{ name: 'one', qrCodeCount: 1 }]);
      expect(await service.scan(code.slug)).toBe(302);
      expect(await service.events(workspaceId, 1)).toHaveLength(1);
    },
  );

  test.each(['before', 'after'] as const)(
    'that failed %s the link service applied it, and is not retried, leaves no record and is not counted for the link',
    async (when) => {
      const { aCode, workspaceId, aLink, links, call } = service.as();
      const link = await aLink();
      service.linkProxy.failOn('PutQrRoute', when);
      await expect(aCode({ linkId: link.id })).rejects.toMatchObject(unavailable);
      service.linkProxy.restore();
      expect((await call('ListQrCodes', { limit: 50, tags: [] })).qrCodes).toEqual([]);
      await until(async () => (await codesOf(workspaceId)).length === 0);
      expect((await links('GetLink', { idOrSlug: link.id })).qrCodeCount).toBe(0);
    },
  );

  test('that was undone succeeds if it is retried', async () => {
    const { aCode, get, workspaceId } = service.as();
    const operationId = newUlid();
    service.linkProxy.failOn('PutQrRoute', 'after');
    await expect(aCode({ operationId })).rejects.toMatchObject(unavailable);
    service.linkProxy.restore();
    await until(async () => (await codesOf(workspaceId)).length === 0);
    const code = await aCode({ operationId });
    expect(await get(code.id)).toEqual(code);
    expect(await service.scan(code.slug)).toBe(302);
    expect(await service.events(workspaceId, 1)).toHaveLength(1);
  });
});

describe('a change', () => {
  test('is rejected while the link service is unavailable, and has no effect', async () => {
    const { aCode, get, update, workspaceId } = service.as();
    const code = await aCode();
    service.linkProxy.failOn('ListQrRoutes', 'before');
    for (const call of [update(code.id, { title: 'x' }), get(code.id)])
      await expect(call).rejects.toMatchObject(unavailable);
    service.linkProxy.restore();
    expect(await get(code.id)).toEqual(code);
    expect(await update(code.id, { title: 'x' })).toMatchObject({ title: 'x' });
    expect(await service.events(workspaceId, 2)).toHaveLength(2);
  });

  test.each(['before', 'after'] as const)(
    'is completed later if it failed %s the link service applied it, and emits one event with its author',
    async (when) => {
      const { aCode, get, update, workspaceId, by } = service.as();
      const code = await aCode({ tags: ['one'] });
      service.linkProxy.failOn('PutQrRoute', when);
      const change = { status: 'archived', tags: { names: ['two'] } };
      // The message says that the change will be applied: callers might take a 503 to mean that nothing was changed.
      const appliedLater = { ...unavailable, message: expect.stringMatching(/will be applied/) };
      await expect(update(code.id, change)).rejects.toMatchObject(appliedLater);
      service.linkProxy.restore();
      // The sweep may be idle, and then runs only every five seconds.
      const after = await eventually(async () => {
        const shown = await get(code.id);
        expect(shown).toMatchObject({ status: 'archived', tags: ['two'] });
        return shown;
      }, 10_000);
      expect(await service.scan(code.slug)).toBe(410);
      const [, event, ...others] = await service.events(workspaceId, 2);
      expect(others).toEqual([]);
      expect(event).toMatchObject({
        type: 'qr_code.updated',
        actor: { id: by.id, name: by.name },
        requestId: by.requestId,
        data: { updatedAt: after.updatedAt },
      });
      expect(event!.changes).toEqual({
        status: { before: 'active', after: 'archived' },
        tags: { before: ['one'], after: ['two'] },
      });
      expect(await update(code.id, change)).toEqual(after);
      expect(await service.events(workspaceId, 2)).toHaveLength(2);
    },
  );

  test('left by a crashed process whose clock was an hour ahead is completed before the next change', async () => {
    const { aCode, update, workspaceId } = service.as();
    const code = await aCode();
    const pending = {
      version: 2,
      event: 'qr_code.updated',
      set: { title: 'left' },
      tags: ['left'],
      tagsBefore: [],
      by: null,
    };
    const { modifiedCount } = await service.models.qrCodes.updateOne(
      { _id: code.id },
      { $set: { pending, dueAt: new Date(Date.now() + HOUR_MS) } },
    );
    expect(modifiedCount).toBe(1);
    expect(await eventually(() => update(code.id, { maxScans: 7 }), 10_000)).toMatchObject({
      title: 'left',
      tags: ['left'],
      maxScans: 7,
    });
    const events = await service.events(workspaceId, 3);
    expect(events.map(({ changes }) => Object.keys(changes).sort())).toEqual([[], ['tags', 'title'], ['maxScans']]);
  });

  test('whose process crashed is dropped if the link service rejects it, and does not block later changes', async () => {
    const { aCode, get, update, workspaceId } = service.as();
    const code = await aCode();
    const pending = {
      version: 2,
      event: 'qr_code.updated',
      set: { url: 'ftp://example.com' },
      tags: null,
      tagsBefore: [],
      by: null,
    };
    await service.models.qrCodes.updateOne({ _id: code.id }, { $set: { pending, dueAt: new Date() } });
    await until(async () => (await codesOf(workspaceId))[0]!.pending === null);
    expect(await get(code.id)).toEqual(code);
    expect(await update(code.id, { title: 'next' })).toMatchObject({ title: 'next', url: code.url });
  });

  test('that was left unfinished and that the link service rejects does not make the next change fail', async () => {
    const { aCode, update } = service.as();
    const { id } = await aCode();
    const set = { url: 'ftp://example.com' };
    const pending = { version: 2, event: 'qr_code.updated', set, tags: null, tagsBefore: [], by: null };
    await service.models.qrCodes.updateOne({ _id: id }, { $set: { pending, dueAt: UNCLAIMED } });
    expect(await update(id, { title: 'next' })).toMatchObject({ title: 'next', url: 'https://example.com/page' });
    // The version of the rejected change is not used again.
    expect(await service.models.qrCodes.findById(id).lean()).toMatchObject({ version: 3 });
  });

  test('that makes the code expire is applied later if the link service fails midway; the error says so', async () => {
    const { aCode, get, update } = service.as();
    const { id, slug } = await aCode({ maxScans: 5 });
    expect(await service.scan(slug)).toBe(302);
    const put = service.linkProxy.delayNext('PutQrRoute');
    const change = expect(update(id, { maxScans: 1 })).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringMatching(/will be applied/),
    });
    await put.responded;
    service.linkProxy.failOn('PutQrRoute', 'before');
    put.release();
    await change;
    service.linkProxy.restore();
    await eventually(async () => expect(await get(id)).toMatchObject({ status: 'expired', maxScans: 1 }), 10_000);
  });

  test('is applied after the database was restored to an earlier state', async () => {
    const { aCode, get, update } = service.as();
    const { id, slug } = await aCode();
    for (const title of ['a', 'b', 'c']) await update(id, { title });
    await service.models.qrCodes.updateOne({ _id: id }, { $set: { version: 1, title: null } });
    const after = await update(id, { title: 'd', status: 'archived' });
    expect(await get(id)).toEqual(after);
    expect(await service.scan(slug)).toBe(410);
  });

  test('that fails while it completes an earlier one is not stored', async () => {
    const { aCode, get, update } = service.as();
    const { id } = await aCode();
    service.linkProxy.failOn('PutQrRoute', 'before');
    const stored = /is stored and will be applied/;
    await expect(update(id, { title: 'first' })).rejects.toThrow(stored);
    for (let i = 0; i < 5; i += 1) {
      const notStored = { ...unavailable, message: expect.not.stringMatching(stored) };
      await expect(update(id, { maxScans: 7 })).rejects.toMatchObject(notStored);
    }
    service.linkProxy.restore();
    const after = await eventually(async () => {
      const shown = await get(id);
      expect(shown).toMatchObject({ title: 'first' });
      return shown;
    }, 10_000);
    expect(after.maxScans).toBeUndefined();
  });

  test('is not stored if it fails because the code, which has to expire first, could not expire', async () => {
    const { aCode, get, update } = service.as();
    const { id, slug } = await aCode({ maxScans: 1 });
    expect(await service.scan(slug)).toBe(302);
    service.linkProxy.failOn('PutQrRoute', 'before');
    const notStored = { ...unavailable, message: expect.not.stringMatching(/is stored and will be applied/) };
    await expect(update(id, { title: 'never' })).rejects.toMatchObject(notStored);
    service.linkProxy.restore();
    expect((await update(id, { maxScans: 2 })).title).toBeUndefined();
    expect(await get(id)).toMatchObject({ status: 'expired', maxScans: 2 });
  });

  test('takes effect after the changes that were requested earlier', async () => {
    const { aCode, get, update } = service.as();
    const { id } = await aCode();
    const changes = Array.from({ length: 30 }, (_, i) => update(id, { title: `old${i}` }));
    await update(id, { title: 'final' });
    await Promise.allSettled(changes);
    expect((await get(id)).title).toBe('final');
  });

  test('that cannot start in time is rejected before its deadline, and is never applied', async () => {
    const principal = aPrincipal();
    const { aCode, get, update } = service.as(principal);
    const { id } = await aCode();
    let release = (): void => undefined;
    service.linkProxy.failOn('PutQrRoute', 'before', () => new Promise((resolve) => (release = resolve)));
    // The server rejects the waiting calls 150 ms (a tenth of the time) before this deadline, while the first update's
    // call to the link service is still pending.
    const hurried = service.as(principal, 1_500);
    const first = hurried.update(id, { title: 'first' });
    const others: Promise<unknown>[] = Array.from({ length: 5 }, (_, i) => hurried.update(id, { title: `old${i}` }));
    others.push(hurried.call('DeleteQrCode', { id }));
    await expect(first).rejects.toMatchObject({ code: 'TIMEOUT' });
    for (const other of await Promise.allSettled(others)) {
      expect(other).toMatchObject({
        reason: { code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(/Nothing was changed/) },
      });
    }
    service.linkProxy.restore();
    release();
    await update(id, { title: 'final' });
    await sleep(500);
    expect((await get(id)).title).toBe('final');
  });

  test('that reads the route too slowly is not started after its deadline', async () => {
    const principal = aPrincipal();
    const { aCode, get } = service.as(principal);
    const { id } = await aCode({ title: 'first' });
    const read = service.linkProxy.delayNext('ListQrRoutes');
    const late = service.as(principal, 1_000).update(id, { title: 'late' });
    await expect(late).rejects.toMatchObject({ code: expect.stringMatching(/^(SERVICE_UNAVAILABLE|TIMEOUT)$/) });
    read.release();
    await sleep(500);
    expect((await get(id)).title).toBe('first');
  });

  /** Begins a change, and renews the claim on it until `abandon`, like a process that is still working on it. */
  async function beginChange(id: string): Promise<{ abandon(): void }> {
    const change = {
      version: 2,
      event: 'qr_code.updated',
      set: { title: 'slow' },
      tags: null,
      tagsBefore: [],
      by: null,
    };
    const claim = (set: object) =>
      service.models.qrCodes.updateOne({ _id: id, state: 'live' }, { $set: { ...set, dueAt: new Date() } }).exec();
    await claim({ pending: change });
    const renewing = setInterval(() => void claim({}), 200);
    return { abandon: () => clearInterval(renewing) };
  }

  test('waits for a pending change, and is rejected if the pending change does not end', async () => {
    const { aCode, update } = service.as();
    const code = await aCode();
    const change = await beginChange(code.id);
    await expect(update(code.id, { title: 'x' })).rejects.toMatchObject(unavailable);
    change.abandon();
  });

  test('of a running process is not taken over by a replica whose clock is an hour ahead', async () => {
    const { aCode, get } = service.as();
    const code = await aCode();
    const change = await beginChange(code.id);
    const before = service.linkProxy.attempted.length;
    const replica = await start(readQrConfig(service.settings), () => new Date(Date.now() + HOUR_MS));
    await until(async () => (await fetch(`http://127.0.0.1:${replica.ports['admin']}/readyz`)).ok);
    await sleep(1_000);
    expect(service.linkProxy.attempted.slice(before)).not.toContain('PutQrRoute');
    change.abandon();
    await until(async () => (await get(code.id)).title === 'slow');
    await replica.stop();
  });
});

test('a deletion succeeds while the link service is unavailable, and removes the route later', async () => {
  const { aCode, get, call, images, workspaceId } = service.as();
  const operationId = newUlid();
  const code = await aCode({ operationId });
  const { token } = await images('CreateDownloadToken', { id: code.id });
  service.linkProxy.failOn('RemoveQrRoute', 'before');
  expect(await call('DeleteQrCode', { id: code.id })).toEqual({ id: code.id });
  // The claim was released, so that the sweep need not wait until the lease expires.
  const isReleased = async () => (await codesOf(workspaceId))[0]!.dueAt?.getTime() === UNCLAIMED.getTime();
  await until(isReleased, 1_000);
  await expect(get(code.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(images('RenderByToken', { token })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(aCode({ operationId })).rejects.toMatchObject(unavailable);
  expect(await service.scan(code.slug)).toBe(302);
  service.linkProxy.restore();
  await until(async () => (await service.scan(code.slug)) === 404);
  await until(async () => (await codesOf(workspaceId)).length === 0);
  const types = (await service.events(workspaceId, 3)).map(({ type }) => type);
  expect(types).toEqual(['qr_code.created', 'download_token.created', 'qr_code.deleted']);
});
