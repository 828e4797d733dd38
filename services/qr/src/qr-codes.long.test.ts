import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid, sleep } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { startService, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const url = 'https://example.com/page';
const styleOf = ({ styleConfig }: { styleConfig: string }): unknown => JSON.parse(styleConfig);

describe('a QR code', () => {
  test('is created from a url with defaults, and is read back unchanged', async () => {
    const { aCode, get, by } = service.as();
    const code = await aCode({ url: 'https://EXAMPLE.com' });
    expect(code).toMatchObject({
      id: expect.stringMatching(/^qr_[0-9a-z]{26}$/),
      url: 'https://example.com/',
      slug: expect.stringMatching(/^[2-9a-hj-km-np-z]{7}$/),
      shortUrl: `https://go.example.com/${code.slug}`,
      tags: [],
      status: 'active',
      scanCount: 0,
      createdBy: { type: 'user', id: by.id },
      createdAt: code.updatedAt,
    });
    for (const unset of ['title', 'linkId', 'logoRunRef', 'expiresAt', 'maxScans', 'lastScanAt'] as const) {
      expect(code[unset]).toBeUndefined();
    }
    expect(JSON.parse(code.styleConfig)).toMatchObject({ foreground: '#000000', size: 600, errorCorrection: 'M' });
    expect(await get(code.id)).toEqual(code);
    const [event, ...others] = await service.events(by.workspaceId, 1);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'qr_code.created',
      actor: { type: 'user', id: by.id, name: 'Ayu' },
      requestId: by.requestId,
      ip: by.ip,
      target: { type: 'qr_code', id: code.id, label: code.slug },
      changes: {},
      data: { id: code.id, url: 'https://example.com/', title: null },
    });
  });

  test('is created from a link, with all fields', async () => {
    const { aCode, aLink, links, get } = service.as();
    const link = await aLink();
    const code = await aCode({
      linkId: link.id,
      title: '  Poster ',
      tags: ['Expo', 'b', 'expo'],
      expiresAt: '2100-01-01T07:00:00+07:00',
      maxScans: 10,
      styleConfig: JSON.stringify({ foreground: '#112233', size: 300 }),
    });
    expect(code).toMatchObject({
      linkId: link.id,
      title: 'Poster',
      tags: ['b', 'Expo'],
      expiresAt: '2100-01-01T00:00:00.000Z',
      maxScans: 10,
    });
    expect(code.url).toBe(link.url);
    expect(await get(code.id)).toEqual(code);
    expect((await links('GetLink', { idOrSlug: link.id })).qrCodeCount).toBe(1);
  });

  test.each([
    ['url', {}],
    ['url', { url, linkId: newId('lnk') }],
    ['url', { url: 'ftp://example.com' }],
    ['url', { url: 'https://go.example.com/loop' }],
    ['linkId', { linkId: newId('lnk') }],
    ['linkId', { linkId: 'poster' }],
    ['title', { url, title: 'x'.repeat(201) }],
    ['title', { url, title: ' ' }],
    ['tags', { url, tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }],
    ['tags.0', { url, tags: ['x'.repeat(51)] }],
    ['expiresAt', { url, expiresAt: '2020-01-01T00:00:00Z' }],
    ['expiresAt', { url, expiresAt: 'tomorrow' }],
    ['maxScans', { url, maxScans: 0 }],
    ['maxScans', { url, maxScans: 1_000_000_001 }],
    ['styleConfig', { url, styleConfig: '[]' }],
    ['styleConfig.size', { url, styleConfig: '{"size":63}' }],
    ['logoRunRef', { url, logoRunRef: 'logo_x' }],
    ['operationId', { url, operationId: 'x' }],
  ])('is rejected for an invalid %s (%j), and nothing is written', async (field, fields) => {
    const { call, workspaceId, tags } = service.as();
    await expect(call('CreateQrCode', fields)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
    expect(await service.models.qrCodes.countDocuments({ workspaceId })).toBe(0);
    expect((await tags('ListTags', {})).tags).toEqual([]);
  });

  test('cannot be accessed from another workspace', async () => {
    const [own, other] = [service.as(), service.as()];
    const { id } = await own.aCode();
    for (const call of [other.get(id), other.update(id, { title: 'x' }), other.call('DeleteQrCode', { id })]) {
      await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    const { id: linkId } = await own.aLink();
    await expect(other.aCode({ linkId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const none of [newId('qr'), newId('lnk'), 'x']) {
      await expect(own.get(none)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('is created once by requests with the same operation id', async () => {
    const { aCode, workspaceId } = service.as();
    const operationId = newUlid();
    const first = await aCode({ operationId, title: 'first' });
    expect(first.id).toBe(`qr_${operationId}`);
    expect(await aCode({ operationId, title: 'first' })).toEqual(first);
    expect(await service.models.qrCodes.countDocuments({ workspaceId })).toBe(1);
    expect(await service.events(workspaceId, 1)).toHaveLength(1);
  });
});

describe('a change', () => {
  test('of every field returns the new record, and emits the previous and new values', async () => {
    const { aCode, get, update, workspaceId } = service.as();
    const before = await aCode({ title: 'a', tags: ['one', 'two'] });
    const after = await update(before.id, {
      url: 'https://example.com/other',
      title: 'b',
      tags: { names: ['TWO', 'three'] },
      expiresAt: '2100-01-01T00:00:00Z',
      maxScans: 5,
      styleConfig: JSON.stringify({ foreground: '#112233' }),
      status: 'archived',
    });
    expect(after).toMatchObject({
      url: 'https://example.com/other',
      title: 'b',
      tags: ['three', 'two'],
      expiresAt: '2100-01-01T00:00:00.000Z',
      maxScans: 5,
      status: 'archived',
      slug: before.slug,
      createdAt: before.createdAt,
    });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(JSON.parse(after.styleConfig)).toMatchObject({ foreground: '#112233', size: 600 });
    expect(await get(before.id)).toEqual(after);
    const [, event] = await service.events(workspaceId, 2);
    expect(event).toMatchObject({ type: 'qr_code.updated', data: { title: 'b', tags: ['three', 'two'] } });
    expect(event!.changes).toEqual({
      url: { before: url, after: 'https://example.com/other' },
      title: { before: 'a', after: 'b' },
      tags: { before: ['one', 'two'], after: ['three', 'two'] },
      expiresAt: { before: null, after: '2100-01-01T00:00:00.000Z' },
      maxScans: { before: null, after: 5 },
      styleConfig: { before: styleOf(before), after: styleOf(after) },
      status: { before: 'active', after: 'archived' },
    });
    expect(await service.scan(before.slug)).toBe(410);
    await update(before.id, { status: 'active' });
    expect(await service.scan(before.slug)).toBe(302);
  });

  test('that lists fields in `clear` resets them', async () => {
    const { aCode, get, update } = service.as();
    const code = await aCode({
      title: 'a',
      tags: ['one'],
      expiresAt: '2100-01-01T00:00:00Z',
      maxScans: 5,
      styleConfig: '{"size":300}',
    });
    const after = await update(code.id, {
      clear: ['title', 'tags', 'expiresAt', 'maxScans', 'styleConfig', 'logoRunRef'],
    });
    for (const unset of ['title', 'expiresAt', 'maxScans'] as const) expect(after[unset]).toBeUndefined();
    expect(after.tags).toEqual([]);
    expect(JSON.parse(after.styleConfig)).toMatchObject({ size: 600 });
    expect(await get(code.id)).toEqual(after);
  });

  test('can set only the tags', async () => {
    const { aCode, get, update, workspaceId } = service.as();
    const { id } = await aCode({ tags: ['one'] });
    const after = await update(id, { tags: { names: ['two'] } });
    expect(after.tags).toEqual(['two']);
    expect(await get(id)).toEqual(after);
    const [, event] = await service.events(workspaceId, 2);
    expect(event!.changes).toEqual({ tags: { before: ['one'], after: ['two'] } });
  });

  test('that changes nothing emits no event', async () => {
    const { aCode, update, workspaceId } = service.as();
    const code = await aCode({ title: 'a', tags: ['One'] });
    const same = { url, title: 'a', status: 'active', styleConfig: '{"size":600}' };
    expect(await update(code.id, { ...same, tags: { names: ['one'] } })).toEqual(code);
    const stored = () => service.models.qrCodes.findById(code.id).lean();
    const before = await stored();
    for (const nothing of [same, {}]) expect(await update(code.id, nothing)).toEqual(code);
    expect(await stored()).toEqual(before);
    const last = await update(code.id, { title: 'b' });
    expect(last.updatedAt > code.updatedAt).toBe(true);
    expect(await service.events(workspaceId, 2)).toHaveLength(2);
  });

  test.each([
    ['url', { url: 'javascript:alert(1)' }],
    ['title', { title: '' }],
    ['tags.0', { tags: { names: [''] } }],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['maxScans', { maxScans: -1 }],
    ['styleConfig.foreground', { styleConfig: '{"foreground":"red"}' }],
    ['styleConfig.size', { styleConfig: '{"size":64,"margin":16}' }],
    ['logoRunRef', { logoRunRef: 'logo_x' }],
    ['status', { status: 'paused' }],
    ['url', { clear: ['url'] }],
    ['status', { clear: ['status'] }],
    ['title', { title: 'x', clear: ['title'] }],
  ])('is rejected for an invalid %s (%j), and has no effect', async (field, fields) => {
    const { aCode, get, update, workspaceId } = service.as();
    const code = await aCode({ tags: ['one'] });
    await expect(update(code.id, { title: 'y', ...fields })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
    expect(await get(code.id)).toEqual(code);
    const next = await update(code.id, { title: 'z', tags: { names: ['two'] } });
    expect(next).toMatchObject({ title: 'z', tags: ['two'] });
    expect(await service.events(workspaceId, 2)).toHaveLength(2);
  });

  test('cannot set the url of a code that follows a link', async () => {
    const { aCode, aLink, update } = service.as();
    const code = await aCode({ linkId: (await aLink()).id });
    await expect(update(code.id, { url })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'url' });
  });

  test('does not decrease `updatedAt` if the clock of its process is behind', async () => {
    const { aCode, update } = service.as();
    const { id } = await aCode();
    const updatedAt = '2090-01-01T00:00:00.000Z';
    await service.models.qrCodes.updateOne({ _id: id }, { updatedAt: new Date(updatedAt) });
    expect(await update(id, { title: 'b' })).toMatchObject({ title: 'b', updatedAt });
  });

  test('fails with TIMEOUT, and emits no event, if another process drops it before its commit', async () => {
    const { aCode, update, workspaceId } = service.as();
    const { id } = await aCode();
    const put = service.linkProxy.delayNext('PutQrRoute');
    const dropped = expect(update(id, { title: 'dropped' })).rejects.toMatchObject({ code: 'TIMEOUT' });
    await put.responded;
    await service.models.qrCodes.updateOne({ _id: id }, { pending: null, dueAt: null });
    put.release();
    await dropped;
    await update(id, { title: 'next' });
    const [, event] = await service.events(workspaceId, 2);
    expect(event).toMatchObject({ data: { title: 'next' }, changes: { title: { before: null, after: 'next' } } });
  });

  test('is applied even with concurrent changes', async () => {
    const { aCode, get, update, workspaceId } = service.as();
    const { id } = await aCode();
    await service.addReplica();
    const tags = Array.from({ length: 12 }, (_, i) => `t${i}`);
    const answers = await Promise.all(tags.map((tag, i) => update(id, { tags: { names: [tag] }, maxScans: i + 1 })));
    answers.forEach(({ tags: [tag], maxScans }) => expect(tag).toBe(`t${maxScans! - 1}`));
    const events = await service.events(workspaceId, 13);
    expect(events).toHaveLength(13);
    const last = await get(id);
    const order = events
      .slice(1)
      .sort((a, b) =>
        (a.data as { updatedAt: string }).updatedAt < (b.data as { updatedAt: string }).updatedAt ? -1 : 1,
      );
    expect(order.at(-1)!.data).toMatchObject({ tags: last.tags, maxScans: last.maxScans });
  });
});

describe('a deletion', () => {
  test('removes the code and its route, and emits one event', async () => {
    const { aCode, aLink, links, get, call, workspaceId, tags } = service.as();
    const link = await aLink();
    const code = await aCode({ linkId: link.id, tags: ['one'], title: 'Poster' });
    expect(await service.scan(code.slug)).toBe(302);
    expect(await call('DeleteQrCode', { id: code.id })).toEqual({ id: code.id });
    await expect(get(code.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(call('DeleteQrCode', { id: code.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await service.scan(code.slug)).toBe(404);
    expect((await links('GetLink', { idOrSlug: link.id })).qrCodeCount).toBe(0);
    expect((await tags('ListTags', {})).tags).toMatchObject([{ name: 'one', qrCodeCount: 0 }]);
    expect(await service.models.qrCodes.countDocuments({ workspaceId })).toBe(0);
    const events = await service.events(workspaceId, 2);
    expect(events.map(({ type }) => type)).toEqual(['qr_code.created', 'qr_code.deleted']);
    expect(events[1]).toMatchObject({ target: { label: 'Poster' }, data: { id: code.id, tags: ['one'] } });
  });

  test('also deletes a code that another process changes meanwhile', async () => {
    const { aCode, get, call, workspaceId } = service.as();
    const { id } = await aCode();
    const read = service.linkProxy.delayNext('ListQrRoutes');
    const deletion = call('DeleteQrCode', { id });
    await read.responded;
    await service.models.qrCodes.updateOne({ _id: id }, { title: 'new', version: 2 });
    read.release();
    expect(await deletion).toEqual({ id });
    await expect(get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const [, event] = await service.events(workspaceId, 2);
    expect(event).toMatchObject({ type: 'qr_code.deleted', data: { title: 'new' } });
  });
});

test('a QR code is expired as soon as it reaches a limit, before any sweep', async () => {
  const caller = service.as();
  const used = await caller.aCode({ maxScans: 1 });
  const late = await caller.aCode({ expiresAt: new Date(Date.now() + 3_000).toISOString() });
  expect([(await caller.get(used.id)).status, (await caller.get(late.id)).status]).toEqual(['active', 'active']);
  expect(await service.scan(used.slug)).toBe(302);
  expect((await caller.get(used.id)).status).toBe('expired');
  await until(async () => late.expiresAt! < new Date().toISOString());
  expect((await caller.get(late.id)).status).toBe('expired');
  // The expiry sweep runs only once an hour in this suite, so both records are still stored as active.
  expect(await service.models.qrCodes.countDocuments({ workspaceId: caller.workspaceId, status: 'active' })).toBe(2);
  for (const [id, field] of [
    [used.id, 'maxScans'],
    [late.id, 'expiresAt'],
  ] as const) {
    const refused = { code: 'VALIDATION_ERROR', field };
    await expect(caller.update(id, { status: 'active' })).rejects.toMatchObject(refused);
  }
});

describe('creation', () => {
  test('waits for the link service for longer than a change does, as its caller has more time', async () => {
    const { aCode, get } = service.as();
    const put = service.linkProxy.delayNext('PutQrRoute');
    const creation = aCode();
    await put.responded;
    await sleep(2_000);
    put.release();
    const code = await creation;
    expect(await get(code.id)).toEqual(code);
  });

  test('fails with TIMEOUT, and emits no event, if another process undoes it before its commit', async () => {
    const { aCode, workspaceId } = service.as();
    const put = service.linkProxy.delayNext('PutQrRoute');
    const undone = expect(aCode()).rejects.toMatchObject({ code: 'TIMEOUT' });
    await put.responded;
    await service.models.qrCodes.deleteMany({ workspaceId });
    put.release();
    await undone;
    const { id } = await aCode();
    expect((await service.events(workspaceId, 1)).map(({ target }) => target.id)).toEqual([id]);
  });

  test('succeeds 200 times concurrently on several replicas, with a shared tag and link', async () => {
    await service.addReplica();
    const caller = service.as(undefined, 60_000);
    const link = await caller.aLink();
    const fields = [{}, { tags: ['shared'] }, { linkId: link.id }, { linkId: link.id, tags: ['SHARED', 'own'] }];
    const calls = Array.from({ length: 200 }, (_, i) => caller.aCode(fields[i % fields.length]));
    const codes = await Promise.all(calls);
    expect(new Set(codes.map(({ slug }) => slug)).size).toBe(200);
    expect(await caller.usage()).toBe(200);
    expect((await caller.links('GetLink', { idOrSlug: link.id })).qrCodeCount).toBe(100);
    const { tags } = await caller.tags('ListTags', {});
    expect(tags.map(({ name, qrCodeCount }) => [name.toLowerCase(), qrCodeCount])).toEqual([
      ['own', 50],
      ['shared', 100],
    ]);
    const events = await service.events(caller.workspaceId, 200);
    expect(events.map(({ data }) => data)).toEqual(
      expect.arrayContaining(
        [codes[0], codes[3]].map((code) => expect.objectContaining({ id: code!.id, tags: code!.tags })),
      ),
    );
  });
});

test('a QR code that has reached a limit expires before it is deleted', async () => {
  const { aCode, get, call, by, workspaceId } = service.as();
  const { id, slug } = await aCode({ maxScans: 1 });
  expect(await service.scan(slug)).toBe(302);
  // A limit takes effect before `scanCount` includes the scan that reached it.
  await until(async () => {
    const { status, scanCount } = await get(id);
    return status === 'expired' && scanCount === 1;
  });
  await call('DeleteQrCode', { id });
  // The sweep, which runs once an hour in this suite, has not expired it.
  const [, expired, deleted] = await service.events(workspaceId, 3);
  expect(expired).toMatchObject({
    type: 'qr_code.expired',
    actor: { type: 'system' },
    changes: { status: { before: 'active', after: 'expired' } },
    data: { id, status: 'expired', scanCount: 1 },
  });
  expect(deleted).toMatchObject({ type: 'qr_code.deleted', actor: { id: by.id }, data: { id, status: 'expired' } });
});

test('a QR code that has reached a limit does not expire if another process archives it meanwhile', async () => {
  const { aCode, update } = service.as();
  const { id, slug } = await aCode({ maxScans: 1 });
  expect(await service.scan(slug)).toBe(302);
  const first = service.linkProxy.delayNext('ListQrRoutes');
  const change = update(id, { title: 'Poster' });
  await first.responded;
  // The code expires before the change, and is read once more for that.
  const second = service.linkProxy.delayNext('ListQrRoutes');
  first.release();
  await second.responded;
  await service.models.qrCodes.updateOne({ _id: id }, { status: 'archived', version: 2 });
  second.release();
  expect(await change).toMatchObject({ status: 'archived', title: 'Poster' });
});
