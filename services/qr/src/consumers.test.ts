import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { eventually, until } from '@tautan/kit/testing';
import { eventSubject } from '@tautan/proto';
import { startService, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService({ ABANDONED_MS: '1500' })));
afterEach(() => service.linkProxy.restore());
afterAll(() => service.stop());

describe('the deletion of a link', () => {
  test('archives its QR codes, and attributes this change to the user who deleted the link', async () => {
    const { aCode, aLink, links, get, update, call, by, workspaceId } = service.as();
    const [link, other] = [await aLink(), await aLink()];
    const codes = [await aCode({ linkId: link.id, tags: ['a'] }), await aCode({ linkId: link.id })];
    const untouched = [await aCode({ linkId: other.id }), await aCode()];
    await links('DeleteLink', { id: link.id });
    const events = (await service.events(workspaceId, 6)).slice(4);
    expect(events.map(({ target }) => target.id).sort()).toEqual(codes.map(({ id }) => id).sort());
    for (const event of events) {
      expect(event).toMatchObject({
        type: 'qr_code.updated',
        actor: { type: 'user', id: by.id, name: by.name },
        requestId: by.requestId,
        ip: by.ip,
      });
      expect(event.changes).toEqual({ status: { before: 'active', after: 'archived' } });
    }
    for (const { id } of codes) expect(await get(id)).toMatchObject({ status: 'archived', linkId: link.id });
    await expect(update(codes[0]!.id, { status: 'active' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'status',
      message: 'status cannot be active: the link of the QR code was deleted.',
    });
    expect(await update(codes[0]!.id, { title: 'Lama' })).toMatchObject({ status: 'archived', title: 'Lama' });
    for (const code of untouched) expect(await get(code.id)).toEqual(code);
    const { qrCodes } = await call('ListQrCodes', { linkId: link.id, status: 'archived', tags: [], limit: 50 });
    expect(qrCodes.map(({ id }) => id).sort()).toEqual(codes.map(({ id }) => id).sort());
  });

  test('changes nothing if its event arrives again, or if the link has no QR codes', async () => {
    const { aCode, aLink, links, get, workspaceId } = service.as();
    const link = await aLink();
    const { id } = await aCode({ linkId: link.id });
    const deletions: unknown[] = [];
    service.bus.listen(eventSubject('link.deleted'), (event) => void deletions.push(event));
    await links('DeleteLink', { id: link.id });
    await service.events(workspaceId, 2);
    const archived = await get(id);
    const [deletion] = (await until(() => deletions.length > 0 && deletions)) as [
      Parameters<TestService['publish']>[0],
    ];
    await service.publish({ ...deletion, id: newId('evt') });
    await service.publish({ ...deletion, id: newId('evt'), target: { ...deletion.target, id: newId('lnk') } });
    // Events are delivered in order, so those above have been delivered before this deletion takes effect.
    const last = await aLink();
    const { id: lastCode } = await aCode({ linkId: last.id });
    await links('DeleteLink', { id: last.id });
    await until(async () => (await get(lastCode)).status === 'archived');
    expect(await get(id)).toEqual(archived);
    expect(await service.events(workspaceId, 4)).toHaveLength(4);
  });

  test('archives a QR code that is being created', async () => {
    const { aCode, aLink, links, get, call } = service.as();
    const link = await aLink();
    let finish = (): void => {};
    service.linkProxy.failOn('PutQrRoute', 'after', () => new Promise((resolve) => (finish = resolve)));
    const operationId = '01jd3x8q4v5w6y7z8a9b0c1d2e';
    const first = aCode({ linkId: link.id, operationId }).catch((error: unknown) => error);
    await until(() => service.linkProxy.forwarded.at(-1) === 'PutQrRoute');
    await until(async () => (await links('GetLink', { idOrSlug: link.id })).qrCodeCount === 1);
    await links('DeleteLink', { id: link.id });
    finish();
    expect(await first).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    service.linkProxy.restore();
    const { id } = await aCode({ linkId: link.id, operationId });
    await until(async () => (await get(id)).status === 'archived');
    expect((await call('ListQrCodes', { status: 'active', tags: [], limit: 50 })).qrCodes).toEqual([]);
  });

  test('is processed once the link service is available again', async () => {
    const { aCode, aLink, links, get } = service.as();
    const link = await aLink();
    const { id } = await aCode({ linkId: link.id });
    service.linkProxy.failOn('ListQrRoutes', 'before');
    const before = service.linkProxy.attempted.length;
    await links('DeleteLink', { id: link.id });
    await until(() => service.linkProxy.attempted.length > before);
    await expect(get(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    service.linkProxy.restore();
    await until(async () => (await get(id)).status === 'archived');
  });
});

test('renaming or deleting a tag changes the QR codes that have it, and the results of filters by tag', async () => {
  const { aCode, get, tags, call } = service.as();
  const { id } = await aCode({ tags: ['a', 'b'] });
  const [a, b] = (await tags('ListTags', {})).tags;
  await tags('RenameTag', { id: a!.id, name: 'z' });
  expect((await get(id)).tags).toEqual(['b', 'z']);
  const found = async (tag: string) => (await call('ListQrCodes', { tags: [tag], limit: 50 })).qrCodes.length;
  expect([await found('a'), await found('z'), await found(a!.id)]).toEqual([0, 1, 1]);
  await tags('DeleteTag', { id: b!.id });
  expect((await get(id)).tags).toEqual(['z']);
  await eventually(async () => expect((await service.models.qrCodes.findById(id).lean())!.tagIds).toEqual([a!.id]));
  await tags('CreateTag', { name: 'b' });
  expect(await found('b')).toBe(0);
});

test('a malformed event is dead-lettered', async () => {
  await service.bus.publish(eventSubject('tag.deleted'), 'nonsense', { id: newId('evt') });
  const deadLetter = await until(() =>
    service.models.deadLetters.findOne({ subject: eventSubject('tag.deleted') }).lean(),
  );
  expect(Buffer.from(deadLetter.payload.buffer).toString()).toContain('nonsense');
});
