import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { eventually, until } from '@tautan/kit/testing';
import { readQrConfig } from './config.js';
import { start } from './main.js';
import { aPrincipal, startService, type TestService } from './testing/service.js';

const HOUR_MS = 3_600_000;
let service: TestService;
beforeAll(async () => void (service = await startService({ ABANDONED_MS: '3000', LEASE_MS: '2500' })));
afterEach(() => service.front.mend());
afterAll(() => service.stop());

const away = { code: 'SERVICE_UNAVAILABLE' };
const changesOf = (workspaceId: string) => service.models.qrCodes.find({ workspaceId }).lean();

describe('a creation', () => {
  test.each(['before', 'after'] as const)('that was cut %s the link service did it is finished by its repetition', async (when) => {
    const { aCode, get, workspaceId, tags } = service.as();
    const operationId = newUlid();
    const fields = { operationId, title: 'Poster', tags: ['one'] };
    service.front.breakAt('PutQrRoute', when);
    await expect(aCode(fields)).rejects.toMatchObject(away);
    await expect(get(`qr_${operationId}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    service.front.mend();
    const code = await aCode(fields);
    expect(code).toMatchObject({ id: `qr_${operationId}`, title: 'Poster', tags: ['one'] });
    expect(await aCode(fields)).toEqual(code);
    expect((await tags('ListTags', {})).tags).toMatchObject([{ name: 'one', qrCodeCount: 1 }]);
    expect(await service.scan(code.slug)).toBe(302);
    expect(await service.events(workspaceId, 1)).toHaveLength(1);
  }); // prettier-ignore

  test.each(['before', 'after'] as const)('that was cut %s the link service did it, and is not repeated, leaves nothing', async (when) => {
    const { aCode, workspaceId, aLink, links, call } = service.as();
    const link = await aLink();
    service.front.breakAt('PutQrRoute', when);
    await expect(aCode({ linkId: link.id })).rejects.toMatchObject(away);
    service.front.mend();
    expect((await call('ListQrCodes', { limit: 50, tags: [] })).qrCodes).toEqual([]);
    await until(async () => (await changesOf(workspaceId)).length === 0);
    expect((await links('GetLink', { idOrSlug: link.id })).qrCodeCount).toBe(0);
  }); // prettier-ignore

  test('that was undone is made anew by its repetition', async () => {
    const { aCode, get, workspaceId } = service.as();
    const operationId = newUlid();
    service.front.breakAt('PutQrRoute', 'after');
    await expect(aCode({ operationId })).rejects.toMatchObject(away);
    service.front.mend();
    await until(async () => (await changesOf(workspaceId)).length === 0);
    const code = await aCode({ operationId });
    expect(await get(code.id)).toEqual(code);
    expect(await service.scan(code.slug)).toBe(302);
    expect(await service.events(workspaceId, 1)).toHaveLength(1);
  });
});

describe('a change', () => {
  test('is refused while the link service is away, and leaves everything as it was', async () => {
    const { aCode, get, update, workspaceId } = service.as();
    const code = await aCode();
    service.front.breakAt('ListQrRoutes', 'before');
    for (const call of [update(code.id, { title: 'x' }), get(code.id)]) await expect(call).rejects.toMatchObject(away);
    service.front.mend();
    expect(await get(code.id)).toEqual(code);
    expect(await update(code.id, { title: 'x' })).toMatchObject({ title: 'x' });
    expect(await service.events(workspaceId, 2)).toHaveLength(2);
  });

  test.each(['before', 'after'] as const)('that was cut %s the link service did it is carried out later, and told once, by whom it was made', async (when) => {
    const { aCode, get, update, workspaceId, by } = service.as();
    const code = await aCode({ tags: ['one'] });
    service.front.breakAt('PutQrRoute', when);
    const change = { status: 'archived', tags: { names: ['two'] } };
    // Said, since a caller may take a 503 for a change that was not made.
    const told = { ...away, message: expect.stringMatching(/will be applied/) };
    await expect(update(code.id, change)).rejects.toMatchObject(told);
    service.front.mend();
    const after = await eventually(async () => {
      const shown = await get(code.id);
      expect(shown).toMatchObject({ status: 'archived', tags: ['two'] });
      return shown;
    });
    expect(await service.scan(code.slug)).toBe(410);
    const [, event, ...others] = await service.events(workspaceId, 2);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'qr_code.updated', actor: { id: by.id, name: by.name }, requestId: by.requestId, data: { updatedAt: after.updatedAt } }); // prettier-ignore
    expect(event!.changes).toEqual({ status: { before: 'active', after: 'archived' }, tags: { before: ['one'], after: ['two'] } }); // prettier-ignore
    expect(await update(code.id, change)).toEqual(after);
    expect(await service.events(workspaceId, 2)).toHaveLength(2);
  }); // prettier-ignore

  test('whose process is gone, its clock an hour ahead, is carried out before the next one', async () => {
    const { aCode, update, workspaceId } = service.as();
    const code = await aCode();
    const pending = { version: 2, event: 'qr_code.updated', set: { title: 'left' }, tags: ['left'], tagsBefore: [], by: null }; // prettier-ignore
    const { modifiedCount } = await service.models.qrCodes.updateOne({ _id: code.id }, { $set: { pending, dueAt: new Date(Date.now() + HOUR_MS) } }); // prettier-ignore
    expect(modifiedCount).toBe(1);
    expect(await eventually(() => update(code.id, { maxScans: 7 }), 10_000)).toMatchObject({
      title: 'left',
      tags: ['left'],
      maxScans: 7,
    });
    const events = await service.events(workspaceId, 3);
    expect(events.map(({ changes }) => Object.keys(changes).sort())).toEqual([[], ['tags', 'title'], ['maxScans']]);
  });

  test('that the link service refuses after its process was gone is put off, and others go on', async () => {
    const { aCode, get, update, workspaceId } = service.as();
    const code = await aCode();
    const pending = { version: 2, event: 'qr_code.updated', set: { url: 'ftp://example.com' }, tags: null, tagsBefore: [], by: null }; // prettier-ignore
    await service.models.qrCodes.updateOne({ _id: code.id }, { $set: { pending, dueAt: new Date() } });
    await until(async () => (await changesOf(workspaceId))[0]!.pending === null);
    expect(await get(code.id)).toEqual(code);
    expect(await update(code.id, { title: 'next' })).toMatchObject({ title: 'next', url: code.url });
  });

  test('holds where this database was put back to an earlier state', async () => {
    const { aCode, get, update } = service.as();
    const { id, slug } = await aCode();
    for (const title of ['a', 'b', 'c']) await update(id, { title });
    await service.models.qrCodes.updateOne({ _id: id }, { $set: { version: 1, title: null } });
    const after = await update(id, { title: 'd', status: 'archived' });
    expect(await get(id)).toEqual(after);
    expect(await service.scan(slug)).toBe(410);
  });

  test('takes effect in the order of the requests', async () => {
    const { aCode, get, update } = service.as();
    const { id } = await aCode();
    const changes = Array.from({ length: 30 }, (_, i) => update(id, { title: `old${i}` }));
    await update(id, { title: 'final' });
    await Promise.allSettled(changes);
    expect((await get(id)).title).toBe('final');
  });

  test('that was not begun by its deadline is dropped, and says so before it', async () => {
    const principal = aPrincipal();
    const { aCode, get, update } = service.as(principal);
    const { id } = await aCode();
    let release = (): void => undefined;
    service.front.breakAt('PutQrRoute', 'before', () => new Promise((resolve) => (release = resolve)));
    const hurried = service.as(principal, 1_000);
    const first = hurried.update(id, { title: 'first' });
    const others = Array.from({ length: 5 }, (_, i) => hurried.update(id, { title: `old${i}` }));
    await expect(first).rejects.toMatchObject({ code: 'TIMEOUT' });
    for (const other of await Promise.allSettled(others)) {
      expect(other).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(/nothing was done/) } }); // prettier-ignore
    }
    service.front.mend();
    release();
    await update(id, { title: 'final' });
    await sleep(500);
    expect((await get(id)).title).toBe('final');
  });

  test('waits for one that is under way, and gives up in time', async () => {
    const { aCode, update } = service.as();
    const code = await aCode();
    const pending = { version: 2, event: 'qr_code.updated', set: { title: 'slow' }, tags: null, tagsBefore: [], by: null }; // prettier-ignore
    const work = () => service.models.qrCodes.updateOne({ _id: code.id, pending: { $ne: null } }, { $set: { dueAt: new Date() } }); // prettier-ignore
    await service.models.qrCodes.updateOne({ _id: code.id }, { $set: { pending, dueAt: new Date() } });
    const working = setInterval(() => void work().exec(), 200);
    await expect(update(code.id, { title: 'x' })).rejects.toMatchObject(away);
    clearInterval(working);
  });

  test('of a live process is left alone by a replica whose clock is an hour ahead', async () => {
    const { aCode, update, workspaceId } = service.as();
    const code = await aCode();
    const replica = await start(readQrConfig(service.settings), () => new Date(Date.now() + HOUR_MS));
    await until(async () => (await fetch(`http://127.0.0.1:${replica.addresses['admin']}/readyz`)).ok);
    const { given, release } = service.front.delayNext('PutQrRoute');
    const updating = update(code.id, { title: 'x' });
    await given;
    const before = service.front.tried.length;
    await sleep(1_000);
    expect(service.front.tried.slice(before)).not.toContain('PutQrRoute');
    release();
    expect(await updating).toMatchObject({ title: 'x' });
    expect(await service.events(workspaceId, 2)).toHaveLength(2);
    await replica.stop();
  });
});

test('a deletion holds although the link service is gone by then: the route goes as soon as it is back', async () => {
  const { aCode, get, call, workspaceId } = service.as();
  const code = await aCode();
  service.front.breakAt('RemoveQrRoute', 'before');
  expect(await call('DeleteQrCode', { id: code.id })).toEqual({ id: code.id });
  await expect(get(code.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await service.scan(code.slug)).toBe(302);
  service.front.mend();
  await until(async () => (await service.scan(code.slug)) === 404);
  await until(async () => (await changesOf(workspaceId)).length === 0);
  expect(await service.events(workspaceId, 2)).toHaveLength(2);
});
