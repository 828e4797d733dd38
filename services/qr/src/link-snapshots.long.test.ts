import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { eventually, until } from '@tautan/kit/testing';
import { eventSubject, type TautanEvent } from '@tautan/proto';
import { startService, type Caller, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const change = ({ links }: Caller, id: string, fields: object) => links('UpdateLink', { id, clear: [], ...fields });
const listed = async ({ call }: Caller, query: object) =>
  (await call('ListQrCodes', { limit: 50, tags: [], ...query })).qrCodes.map(({ id }) => id);
const snapshot = async (id: string) => (await service.models.qrCodes.findById(id).lean())!.followed;

describe('a QR code that follows a link', () => {
  test("has the link's current destination, status and limits, and its own limits where these are stricter", async () => {
    const caller = service.as();
    const { aLink, aCode, get, update } = caller;
    const link = await aLink({ url: 'https://example.com/one', expiresAt: '2090-01-01T00:00:00Z', maxClicks: 50 });
    const code = await aCode({ linkId: link.id });
    expect(code).toMatchObject({
      linkId: link.id,
      url: 'https://example.com/one',
      status: 'active',
      expiresAt: '2090-01-01T00:00:00.000Z',
      maxScans: 50,
    });
    expect(await get(code.id)).toEqual(code);
    await change(caller, link.id, { url: 'https://example.com/two', status: 'archived', maxClicks: 60 });
    expect(await get(code.id)).toMatchObject({ url: 'https://example.com/two', status: 'archived', maxScans: 60 });
    await change(caller, link.id, { status: 'active' });
    expect(await update(code.id, { maxScans: 70, expiresAt: '2080-01-01T00:00:00Z' })).toMatchObject({
      status: 'active',
      maxScans: 60,
      expiresAt: '2080-01-01T00:00:00.000Z',
    });
    expect(await update(code.id, { maxScans: 7, clear: ['expiresAt'] })).toMatchObject({
      maxScans: 7,
      expiresAt: '2090-01-01T00:00:00.000Z',
    });
  });

  test('is expired immediately when the last click of the link is used up', async () => {
    const { aLink, aCode, get } = service.as();
    const link = await aLink({ maxClicks: 1 });
    const code = await aCode({ linkId: link.id });
    expect(await service.scan(link.slug)).toBe(302);
    expect(await get(code.id)).toMatchObject({ status: 'expired', maxScans: 1 });
  });

  test('stays archived when its link expires, and can be activated only while the link is active', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const { id } = await caller.aCode({ linkId: link.id });
    await caller.update(id, { status: 'archived' });
    expect((await caller.get(id)).status).toBe('archived');
    await change(caller, link.id, { status: 'expired' });
    expect((await caller.get(id)).status).toBe('archived');
    const refused = { code: 'VALIDATION_ERROR', field: 'status' };
    await expect(caller.update(id, { status: 'active' })).rejects.toMatchObject(refused);
    await change(caller, link.id, { status: 'active' });
    expect((await caller.update(id, { status: 'active' })).status).toBe('active');
  });

  test('reports only its own changes in events', async () => {
    const caller = service.as();
    const link = await caller.aLink({ expiresAt: '2080-01-01T00:00:00Z' });
    const { id } = await caller.aCode({ linkId: link.id });
    await caller.update(id, { expiresAt: '2090-01-01T00:00:00Z' });
    const [created, updated] = await service.events(caller.workspaceId, 2);
    expect(created!.data).toMatchObject({ url: 'https://example.com/page', expiresAt: '2080-01-01T00:00:00.000Z' });
    expect(updated!.data).toMatchObject({ expiresAt: '2080-01-01T00:00:00.000Z' });
    expect(updated!.changes).toEqual({ expiresAt: { before: null, after: '2090-01-01T00:00:00.000Z' } });
  });
});

describe('lists of QR codes', () => {
  test('find a code by the current status and destination of its link', async () => {
    const caller = service.as();
    const { aLink, aCode } = caller;
    const link = await aLink({ url: 'https://example.com/before' });
    const [a, b] = [await aCode({ linkId: link.id }), await aCode({ linkId: link.id })];
    const standalone = await aCode();
    await caller.update(b.id, { status: 'expired' });
    expect(await listed(caller, { status: 'active' })).toEqual([standalone.id, a.id]);
    expect(await listed(caller, { q: 'before' })).toEqual([b.id, a.id]);
    await change(caller, link.id, { status: 'archived', url: 'https://example.com/after' });
    await eventually(async () => expect(await listed(caller, { status: 'archived' })).toEqual([a.id]));
    await eventually(async () => expect(await listed(caller, { q: 'after' })).toEqual([b.id, a.id]));
    expect(await listed(caller, { status: 'active' })).toEqual([standalone.id]);
    expect(await listed(caller, { status: 'expired' })).toEqual([b.id]);
    expect(await listed(caller, { q: 'before' })).toEqual([]);
    await change(caller, link.id, { status: 'active' });
    await eventually(async () => expect(await listed(caller, { status: 'active' })).toEqual([standalone.id, a.id]));
  });

  test('never return a code with a status other than the requested one', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const { id } = await caller.aCode({ linkId: link.id });
    await change(caller, link.id, { status: 'archived' });
    await eventually(async () => expect(await snapshot(id)).toMatchObject({ status: 'archived' }));
    // Simulate a late event.
    await service.models.qrCodes.updateOne({ _id: id }, { $set: { 'followed.status': 'active' } });
    expect(await listed(caller, { status: 'active' })).toEqual([]);
    expect(await listed(caller, {})).toEqual([id]);
  });

  test('reflect that a link expired', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const { id } = await caller.aCode({ linkId: link.id });
    // Expire the link directly instead of waiting for the expiry sweep of the link service.
    await change(caller, link.id, { status: 'expired' });
    await eventually(async () => expect(await listed(caller, { status: 'expired' })).toEqual([id]));
  });

  test('find codes whose snapshot was missing (as in earlier versions) or stale, after the sweep of a new process', async () => {
    const callers = [service.as(), service.as(), service.as()];
    const ids: string[] = [];
    for (const caller of callers) {
      const link = await caller.aLink({ url: 'https://example.com/known' });
      const codes = [await caller.aCode({ linkId: link.id }), await caller.aCode()];
      await change(caller, link.id, { status: 'archived' });
      await eventually(async () => expect(await listed(caller, { status: 'archived' })).toEqual([codes[0]!.id]));
      ids.push(codes[0]!.id);
    }
    await service.models.qrCodes.updateMany({ _id: { $in: ids.slice(0, 2) } }, { $unset: { followed: 1 } });
    await service.models.qrCodes.updateOne({ _id: ids[2] }, { $set: { 'followed.status': 'active' } });
    for (const caller of callers) expect(await listed(caller, { status: 'archived' })).toEqual([]);
    await service.addReplica();
    for (const [i, caller] of callers.entries())
      await eventually(async () => expect(await listed(caller, { status: 'archived', q: 'known' })).toEqual([ids[i]]));
  });
});

describe('events of a link', () => {
  test('that are redelivered late do not make the snapshot stale', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const { id } = await caller.aCode({ linkId: link.id });
    const received: TautanEvent[] = [];
    service.bus.listen(eventSubject('link.updated'), (event) => void received.push(event as TautanEvent));
    await change(caller, link.id, { url: 'https://example.com/1' });
    await change(caller, link.id, { url: 'https://example.com/2' });
    await until(() => received.length >= 2);
    await eventually(async () => expect(await snapshot(id)).toMatchObject({ url: 'https://example.com/2' }));
    const { rev } = (await snapshot(id))!;
    await service.publish({ ...received[0]!, id: newId('evt') });
    await until(async () => (await snapshot(id))!.rev !== rev);
    expect(await snapshot(id)).toMatchObject({ url: 'https://example.com/2' });
  });

  test('that are processed concurrently result in the newer snapshot, even if the older response arrives last', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const { id } = await caller.aCode({ linkId: link.id });
    const older = service.linkProxy.delayNext('ListQrRoutes');
    await change(caller, link.id, { url: 'https://example.com/older' });
    await older.responded;
    await change(caller, link.id, { url: 'https://example.com/newer' });
    await eventually(async () => expect(await snapshot(id)).toMatchObject({ url: 'https://example.com/newer' }));
    const { rev } = (await snapshot(id))!;
    older.release();
    await until(async () => (await snapshot(id))!.rev !== rev);
    expect(await snapshot(id)).toMatchObject({ url: 'https://example.com/newer' });
  });

  test('that arrive after the link service accepts a new code, but before the QR service commits it, are not overwritten by the older snapshot', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const put = service.linkProxy.delayNext('PutQrRoute');
    const creation = caller.aCode({ linkId: link.id });
    await put.responded;
    const newer = { 'followed.url': 'https://example.com/newer' };
    await change(caller, link.id, { url: newer['followed.url'] });
    const { workspaceId } = caller;
    await until(() => service.models.qrCodes.exists({ workspaceId, ...newer }));
    put.release();
    const { id: _id } = await creation;
    expect(await service.models.qrCodes.countDocuments({ _id, state: 'live', ...newer })).toBe(1);
  });

  test('during the creation of a code leave no stale snapshot', async () => {
    const caller = service.as();
    for (let round = 0; round < 8; round += 1) {
      const link = await caller.aLink();
      const url = `https://example.com/round/${round}`;
      const [codes] = await Promise.all([
        Promise.all([caller.aCode({ linkId: link.id }), caller.aCode({ linkId: link.id })]),
        change(caller, link.id, { url }),
      ]);
      for (const { id } of codes) await eventually(async () => expect(await snapshot(id)).toMatchObject({ url }));
    }
  });

  test('are processed after the link service has become available again', async () => {
    const caller = service.as();
    const link = await caller.aLink();
    const { id } = await caller.aCode({ linkId: link.id });
    service.linkProxy.failOn('ListQrRoutes', 'before');
    const tried = service.linkProxy.attempted.length;
    await change(caller, link.id, { status: 'archived' });
    await until(() => service.linkProxy.attempted.length > tried);
    service.linkProxy.restore();
    await eventually(async () => expect(await listed(caller, { status: 'archived' })).toEqual([id]));
  });
});

test('QR codes of a deleted link keep its last destination and are archived immediately', async () => {
  const caller = service.as();
  const link = await caller.aLink({
    url: 'https://example.com/last',
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  });
  const { id } = await caller.aCode({ linkId: link.id });
  await caller.links('DeleteLink', { id: link.id });
  expect(await caller.get(id)).toMatchObject({ url: 'https://example.com/last', status: 'archived' });
  await eventually(async () => expect(await listed(caller, { status: 'archived', q: 'last' })).toEqual([id]));
});
