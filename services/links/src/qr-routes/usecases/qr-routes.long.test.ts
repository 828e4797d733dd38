import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { aPrincipal, startService, type TestService } from '../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService({ EXPIRY_SWEEP_MS: '100' })));
afterAll(() => service.stop());

const url = 'https://example.com/poster';

describe('the route of a QR code', () => {
  test('gets a slug on the default domain, and is returned with its tags, scan count and remaining scans', async () => {
    const { aCode, codes } = service.as();
    const route = await aCode({ tags: { names: ['poster', 'Expo'] }, maxScans: 5 });
    expect(route).toMatchObject({ qrCodeId: expect.stringMatching(/^qr_/), scanCount: 0, remaining: 5, version: 1 });
    expect(route.slug).toMatch(/^[2-9a-hj-km-np-z]{7}$/);
    expect(route.shortUrl).toBe(`https://go.example.com/${route.slug}`);
    expect(route.tags).toEqual([
      { id: expect.stringMatching(/^tag_/), name: 'Expo' },
      { id: expect.stringMatching(/^tag_/), name: 'poster' },
    ]);
    expect(await codes('ListQrRoutes', { qrCodeIds: [newId('qr'), route.qrCodeId] })).toEqual({ routes: [route] });
    expect(service.invalidated).toContain(`/${route.slug}`);
  });

  test('is created even if a concurrent creation is rejected', async () => {
    const { aCode, aLink, tags } = service.as();
    const elsewhere = await service.as().aCode();
    const { id: linkId } = await aLink();
    const outcomes = await Promise.allSettled([
      aCode({ tags: { names: ['a'] } }),
      aCode({ tags: { names: ['a'] } }),
      aCode({ linkId: newId('lnk'), tags: { names: ['a'] } }),
      aCode({ qrCodeId: elsewhere.qrCodeId, tags: { names: ['a'] } }),
      aCode({ linkId, tags: { names: ['b'] } }),
    ]);
    const results = outcomes.map((each) =>
      each.status === 'fulfilled' ? 'created' : (each.reason as { code: string }).code,
    );
    expect(results).toEqual(['created', 'created', 'VALIDATION_ERROR', 'FORBIDDEN', 'created']);
    const counts = (await tags('ListTags', {})).tags.map(({ name, qrCodeCount }) => [name, qrCodeCount]);
    expect(counts).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  test('has its own link and tags if others are created concurrently, with events whose actor is the caller', async () => {
    const { aCode, aLink, codes, links, tags, workspaceId, by } = service.as();
    const other = service.as(aPrincipal(workspaceId));
    const [first, second] = [await aLink(), await aLink()];
    const created = await Promise.all([
      aCode(),
      aCode({ linkId: first.id, tags: { names: ['b', 'a'] } }),
      other.aCode({ linkId: second.id, tags: { names: ['B', 'c'] }, maxScans: 2 }),
      aCode({ linkId: second.id }),
    ]);
    expect(created.map((route) => [route.version, route.tags.map(({ name }) => name.toLowerCase())])).toEqual([
      [1, []],
      [1, ['a', 'b']],
      [1, ['b', 'c']],
      [1, []],
    ]);
    const { routes } = await codes('ListQrRoutes', { qrCodeIds: created.map(({ qrCodeId }) => qrCodeId) });
    expect(routes).toEqual(expect.arrayContaining(created));
    const counts = (await tags('ListTags', {})).tags.map(({ linkCount, qrCodeCount }) => [linkCount, qrCodeCount]);
    expect(counts).toEqual([
      [0, 1],
      [0, 2],
      [0, 1],
    ]);
    const countOf = async (id: string) => (await links('GetLink', { idOrSlug: id })).qrCodeCount;
    expect([await countOf(first.id), await countOf(second.id)]).toEqual([1, 2]);
    const events = (await service.events(workspaceId, 5)).filter(({ type }) => type === 'tag.created');
    const actors = Object.fromEntries(events.map(({ target, actor }) => [target.label, actor.id]));
    expect(actors).toMatchObject({ a: by.id, c: other.by.id });
  });

  test('cannot lead to this service, even if others are created concurrently', async () => {
    const { aCode } = service.as();
    const forbidden = { url: 'https://go.example.com/loop' };
    const outcomes = await Promise.allSettled([aCode(), aCode(), aCode(forbidden), aCode()]);
    const refused = outcomes.map((each) =>
      each.status === 'rejected' ? (each.reason as { field: string }).field : '',
    );
    expect(refused).toEqual(['', '', 'url', '']);
  });

  test('is created once, and changed only by a later version', async () => {
    const { aCode, codes } = service.as();
    const qrCodeId = newId('qr');
    const created = await Promise.all(Array.from({ length: 8 }, () => aCode({ qrCodeId, tags: { names: ['a'] } })));
    expect(new Set(created.map((route) => JSON.stringify(route))).size).toBe(1);
    const third = await aCode({ qrCodeId, version: 3, maxScans: 3 });
    expect(third).toMatchObject({ ...created[0]!, version: 3, remaining: 3 });
    expect(await aCode({ qrCodeId, version: 3, maxScans: 30 })).toEqual(third);
    expect(await aCode({ qrCodeId, version: 2, tags: { names: ['b'] } })).toEqual(third);
    expect((await codes('ListQrRoutes', { qrCodeIds: [qrCodeId] })).routes).toEqual([third]);
    const [entry, ...others] = await service.models.routes.find({ qrId: qrCodeId }).lean();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ _id: `/${third.slug}`, linkId: null, via: 'qr', maxClicks: 3, remaining: 3 });
  });

  test('counts earlier scans against a new limit', async () => {
    const { aCode } = service.as();
    const { qrCodeId, slug } = await aCode({ maxScans: 10 });
    await service.models.routes.updateOne({ _id: `/${slug}` }, { $set: { remaining: 4 } });
    expect((await aCode({ qrCodeId, version: 2, maxScans: 8 })).remaining).toBe(2);
    expect((await aCode({ qrCodeId, version: 3, maxScans: 5 })).remaining).toBe(-1);
    expect((await aCode({ qrCodeId, version: 4, maxScans: 8 })).remaining).toBe(2);
    expect((await aCode({ qrCodeId, version: 5 })).remaining).toBeUndefined();
    const lastScanAt = '2030-01-01T00:00:00.000Z';
    await service.models.qrCodeData.updateOne({ _id: qrCodeId }, { $set: { scanCount: 6, lastScanAt } });
    const sixth = await aCode({ qrCodeId, version: 6, maxScans: 7 });
    expect(sixth).toMatchObject({ remaining: 1, scanCount: 6, lastScanAt });
    expect((await aCode({ qrCodeId, version: 7, maxScans: 6 })).remaining).toBe(0);
  });

  test.each([
    ['url', { url: 'ftp://example.com' }],
    ['url', { url: 'https://go.example.com/loop' }],
    ['linkId', { linkId: newId('lnk') }],
    ['linkId', { linkId: 'poster' }],
    ['status', { status: 'paused' }],
    ['maxScans', { maxScans: 0 }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['tags', { tags: { names: Array.from({ length: 21 }, (_, i) => `t${i}`) } }],
    ['qrCodeId', { qrCodeId: newId('lnk') }],
    ['version', { version: 0 }],
  ])('is rejected for an invalid %s, and nothing is written', async (field, fields) => {
    const { aCode, workspaceId } = service.as();
    await expect(aCode(fields)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
    expect(await service.models.qrCodeData.countDocuments({ workspaceId })).toBe(0);
    expect(await service.models.routes.countDocuments({ workspaceId })).toBe(0);
    expect(await service.models.tags.countDocuments({ workspaceId })).toBe(0);
  });

  test('keeps a URL that the rules no longer allow, but cannot change to a forbidden URL', async () => {
    const { aCode, aLink } = service.as();
    const { qrCodeId, slug } = await aCode();
    const forbidden = 'https://go.example.com/loop';
    await service.models.routes.updateOne({ _id: `/${slug}` }, { $set: { url: forbidden } });
    const archived = await aCode({ qrCodeId, version: 2, url: forbidden, status: 'archived' });
    expect(archived).toMatchObject({ version: 2 });
    expect(await service.models.routes.findById(`/${slug}`).lean()).toMatchObject({
      url: forbidden,
      status: 'archived',
    });
    const refused = { code: 'VALIDATION_ERROR', field: 'url' };
    await expect(aCode({ qrCodeId, version: 3, url: `${forbidden}-2` })).rejects.toMatchObject(refused);
    await aCode({ qrCodeId, version: 3 });
    await expect(aCode({ qrCodeId, version: 4, url: forbidden })).rejects.toMatchObject(refused);
    await expect(aCode({ version: 2, url: forbidden })).rejects.toMatchObject(refused);
    const follower = await aCode({ linkId: (await aLink()).id });
    await service.models.routes.updateOne({ _id: `/${follower.slug}` }, { $set: { url: forbidden } });
    const detached = aCode({ qrCodeId: follower.qrCodeId, version: 2, url: forbidden });
    await expect(detached).rejects.toMatchObject(refused);
  });

  test('has either a url or a link', async () => {
    const { codes, aLink } = service.as();
    const { id: linkId } = await aLink();
    const put = { qrCodeId: newId('qr'), version: 1, status: 'active' };
    for (const destination of [{}, { url, linkId }]) {
      await expect(codes('PutQrRoute', { ...put, ...destination })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        field: 'url',
      });
    }
  });

  test('cannot be used by another workspace, and cannot use a link of another workspace', async () => {
    const [own, other] = [service.as(), service.as()];
    const { qrCodeId } = await own.aCode();
    const { id: linkId } = await own.aLink();
    for (const call of [
      other.aCode({ qrCodeId, version: 2 }),
      other.codes('RemoveQrRoute', { qrCodeId }),
      other.stats('GetQrCodeStats', { qrCodeId }),
      other.aCode({ linkId }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await other.codes('ListQrRoutes', { qrCodeIds: [qrCodeId] })).toEqual({ routes: [] });
  });
});

test('the routes of at most 200 QR codes are returned', async () => {
  const { codes } = service.as();
  const list = (count: number) =>
    codes('ListQrRoutes', { qrCodeIds: Array.from({ length: count }, () => newId('qr')) });
  expect(await list(200)).toEqual({ routes: [] });
  await expect(list(201)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'qrCodeIds' });
});

describe('a deleted route', () => {
  test('reserves its slug, updates the counts of its tags and link, and can be deleted again', async () => {
    const { aCode, codes, aLink, links, tags, stats } = service.as();
    const link = await aLink();
    const { qrCodeId, slug } = await aCode({ linkId: link.id, tags: { names: ['a'] } });
    expect((await stats('GetWorkspaceStats', {})).totals).toMatchObject({ links: 1, qrCodes: 1 });
    for (let i = 0; i < 3; i += 1) expect(await codes('RemoveQrRoute', { qrCodeId })).toEqual({ qrCodeId });
    expect((await links('GetLink', { idOrSlug: link.id })).qrCodeCount).toBe(0);
    expect((await tags('ListTags', {})).tags).toMatchObject([{ name: 'a', qrCodeCount: 0, linkCount: 0 }]);
    expect((await stats('GetWorkspaceStats', {})).totals).toMatchObject({ links: 1, qrCodes: 0 });
    await expect(stats('GetQrCodeStats', { qrCodeId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(service.as().aLink({ slug })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    expect((await aLink({ slug })).slug).toBe(slug);
  });

  test('is not restored by a later request, even if its deletion was the first request', async () => {
    const { aCode, codes } = service.as();
    const { qrCodeId } = await aCode();
    await codes('RemoveQrRoute', { qrCodeId });
    await expect(aCode({ qrCodeId, version: 9 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const neverCreated = newId('qr');
    await codes('RemoveQrRoute', { qrCodeId: neverCreated });
    await expect(aCode({ qrCodeId: neverCreated })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('tags of QR codes', () => {
  test('are created with events whose actor is the caller, and counted separately from those of links', async () => {
    const { aCode, aLink, tags, workspaceId, by } = service.as();
    await aLink({ tags: ['shared'] });
    const { qrCodeId } = await aCode({ tags: { names: ['Shared', 'own'] } });
    const counts = async () =>
      (await tags('ListTags', {})).tags.map(({ name, linkCount, qrCodeCount }) => [name, linkCount, qrCodeCount]);
    expect(await counts()).toEqual([
      ['own', 0, 1],
      ['shared', 1, 1],
    ]);
    await aCode({ qrCodeId, version: 2 });
    expect(await counts()).toEqual([
      ['own', 0, 1],
      ['shared', 1, 1],
    ]);
    const changed = await aCode({ qrCodeId, version: 3, tags: { names: ['own', 'third'] } });
    expect(changed.tags.map(({ name }) => name)).toEqual(['own', 'third']);
    expect(await counts()).toEqual([
      ['own', 0, 1],
      ['shared', 1, 0],
      ['third', 0, 1],
    ]);
    const created = (await service.events(workspaceId, 4)).filter(({ type }) => type === 'tag.created');
    expect(created.map(({ data, actor }) => [(data as { name: string }).name, actor.id])).toEqual([
      ['shared', by.id],
      ['own', by.id],
      ['third', by.id],
    ]);
    expect(created[1]!.data).toMatchObject({ linkCount: 0, qrCodeCount: 1 });
  });

  test('have their new names after being renamed, and disappear after being deleted', async () => {
    const { aCode, codes, tags } = service.as();
    const { qrCodeId, tags: assigned } = await aCode({ tags: { names: ['a', 'b'] } });
    await tags('RenameTag', { id: assigned[0]!.id, name: 'z' });
    const shown = async () => (await codes('ListQrRoutes', { qrCodeIds: [qrCodeId] })).routes[0]!.tags;
    expect((await shown()).map(({ name }) => name)).toEqual(['b', 'z']);
    await tags('DeleteTag', { id: assigned[1]!.id });
    expect(await shown()).toEqual([{ id: assigned[0]!.id, name: 'z' }]);
    expect((await service.models.qrCodeData.findById(qrCodeId).lean())!.tags).toEqual([assigned[0]!.id]);
    expect((await aCode({ qrCodeId, version: 2, tags: { names: [] } })).tags).toEqual([]);
    expect((await tags('ListTags', {})).tags).toMatchObject([{ name: 'z', qrCodeCount: 0 }]);
  });

  test('are found by name and id; unknown ones are omitted', async () => {
    const { tags, codes } = service.as();
    const [a, b] = [await tags('CreateTag', { name: 'Alpha' }), await tags('CreateTag', { name: 'beta' })];
    const elsewhere = await service.as().tags('CreateTag', { name: 'gamma' });
    const found = await codes('FindTags', { namesOrIds: ['ALPHA', b.id, 'gamma', elsewhere.id, newId('tag')] });
    expect(found.tags).toEqual([
      { nameOrId: 'ALPHA', id: a.id },
      { nameOrId: b.id, id: b.id },
    ]);
  });
});

describe('a QR code of a link', () => {
  test('is counted only by the link that it currently points to, if any', async () => {
    const { aCode, aLink, links } = service.as();
    const [first, second] = [await aLink(), await aLink()];
    const counts = async () =>
      Promise.all([first, second].map(async ({ id }) => (await links('GetLink', { idOrSlug: id })).qrCodeCount));
    const { qrCodeId } = await aCode({ linkId: first.id });
    await aCode({ linkId: first.id });
    expect(await counts()).toEqual([2, 0]);
    await aCode({ qrCodeId, version: 2, linkId: second.id });
    expect(await counts()).toEqual([1, 1]);
    await aCode({ qrCodeId, version: 3, url });
    expect(await counts()).toEqual([1, 0]);
  });

  test('reflects every change to its link in its route', async () => {
    const { aCode, aLink, links } = service.as();
    const link = await aLink({ url: 'https://example.com/1' });
    const { slug, qrCodeId } = await aCode({ linkId: link.id });
    const entry = async () => (await service.models.routes.findById(`/${slug}`).lean())!;
    const follows = { key: `/${link.slug}`, status: 'active', expiresAt: null, limited: false };
    expect(await entry()).toMatchObject({ url: 'https://example.com/1', linkId: link.id, follows });
    service.invalidated.length = 0;
    await links('UpdateLink', {
      id: link.id,
      url: 'https://example.com/2',
      slug: `${link.slug}-2`,
      maxClicks: 5,
      clear: [],
    });
    expect(await entry()).toMatchObject({
      url: 'https://example.com/2',
      follows: { ...follows, key: `/${link.slug}-2`, limited: true },
    });
    await links('BulkLinks', { action: 'archive', ids: [link.id] });
    expect(await entry()).toMatchObject({ status: 'active', follows: { status: 'archived' } });
    expect((await aCode({ qrCodeId, version: 2, linkId: link.id, maxScans: 3 })).remaining).toBe(3);
    expect(await entry()).toMatchObject({ follows: { status: 'archived' }, remaining: 3 });
    await links('DeleteLink', { id: link.id });
    expect(await entry()).toMatchObject({ status: 'active', follows: { status: 'deleted' } });
    expect(service.invalidated.filter((key) => key === `/${slug}`)).toHaveLength(4);
    // The QR service can archive the code even after its link was deleted.
    await aCode({ qrCodeId, version: 3, linkId: link.id, status: 'archived' });
    expect(await entry()).toMatchObject({ status: 'archived', follows: { status: 'deleted' } });
  });

  test('is returned with the state of its link, and as archived after its link was deleted', async () => {
    const { aCode, codes, aLink, links } = service.as();
    const limits = { expiresAt: '2090-01-01T00:00:00.000Z', maxClicks: 5 };
    const [limited, unlimited] = [await aLink(limits), await aLink()];
    const { qrCodeId, followed } = await aCode({ linkId: limited.id });
    const listed = async () => (await codes('ListQrRoutes', { qrCodeIds: [qrCodeId] })).routes[0]!.followed;
    expect(followed).toMatchObject({ url: limited.url, status: 'active', deleted: false, ...limits });
    expect(await listed()).toEqual(followed);
    const { expiresAt, maxClicks } = (await aCode({ linkId: unlimited.id })).followed!;
    expect([expiresAt, maxClicks]).toEqual([undefined, undefined]);
    await links('DeleteLink', { id: limited.id });
    expect(await listed()).toMatchObject({ url: limited.url, status: 'archived', deleted: true });
  });

  test('cannot become active again or change to an unknown link after its link was deleted', async () => {
    const { aCode, aLink, links } = service.as();
    const { id: linkId } = await aLink();
    const { qrCodeId } = await aCode({ linkId });
    await links('DeleteLink', { id: linkId });
    const update = (version: number, fields: object) => aCode({ qrCodeId, linkId, version, ...fields });
    await update(2, { maxScans: 3 });
    await update(3, { status: 'archived' });
    await update(4, { status: 'archived' });
    const refused = { code: 'VALIDATION_ERROR' };
    await expect(update(5, {})).rejects.toMatchObject({ ...refused, field: 'status' });
    await expect(update(5, { linkId: newId('lnk') })).rejects.toMatchObject({ ...refused, field: 'linkId' });
  });

  test('never misses a change to its link that is concurrent with its creation', async () => {
    const { aCode, aLink, links } = service.as();
    for (let round = 0; round < 10; round += 1) {
      const link = await aLink();
      const to = `https://example.com/round/${round}`;
      const [codes] = await Promise.all([
        Promise.all([aCode({ linkId: link.id }), aCode({ linkId: link.id })]),
        links('UpdateLink', { id: link.id, url: to, clear: [] }),
      ]);
      const entries = await service.models.routes.find({ _id: { $in: codes.map(({ slug }) => `/${slug}`) } }).lean();
      expect(entries.map((entry) => entry.url)).toEqual([to, to]);
      expect((await links('GetLink', { idOrSlug: link.id })).qrCodeCount).toBe(2);
    }
  });
});

describe('a QR code that is created while its link is being deleted', () => {
  test('is either rejected or follows the deleted link', async () => {
    const { aCode, aLink, links } = service.as();
    for (let round = 0; round < 12; round += 1) {
      const link = await aLink();
      const qrCodeId = newId('qr');
      const creation = aCode({ qrCodeId, linkId: link.id }).then(
        () => 'created',
        (error: { code: string; field: string }) => `${error.code} ${error.field}`,
      );
      await Promise.all([creation, links('DeleteLink', { id: link.id })]);
      const entry = await service.models.routes.findOne({ qrId: qrCodeId }).lean();
      expect([await creation, entry?.follows?.status]).toEqual(
        entry ? ['created', 'deleted'] : ['VALIDATION_ERROR linkId', undefined],
      );
    }
  });
});

describe('the list of ended QR codes', () => {
  const endedIn = async (workspaceId: string) => {
    const { ended } = await service.as().codes('ListEndedQrRoutes', { limit: 200 });
    return ended.filter((each) => each.workspaceId === workspaceId).map(({ qrCodeId }) => qrCodeId);
  };

  test('contains active routes that are past their own expiry or out of scans; the sweep of links ignores these routes', async () => {
    const { aCode, aLink, links, workspaceId } = service.as();
    const past = new Date(Date.now() - 1_000).toISOString();
    const late = await aCode({ expiresAt: past });
    const used = await aCode({ maxScans: 2 });
    await service.models.routes.updateOne({ _id: `/${used.slug}` }, { $set: { remaining: 0 } });
    await aCode({ expiresAt: past, status: 'archived' });
    await aCode({ maxScans: 1, expiresAt: new Date(Date.now() + 60_000).toISOString() });
    const link = await aLink({ maxClicks: 1 });
    const follower = await aCode({ linkId: link.id });
    await service.models.routes.updateOne({ _id: `/${link.slug}` }, { $set: { remaining: 0 } });
    await service.events(workspaceId, 2);
    expect((await links('GetLink', { idOrSlug: link.id })).status).toBe('expired');
    const entry = await service.models.routes.findById(`/${follower.slug}`).lean();
    expect(entry).toMatchObject({ status: 'active', follows: { status: 'expired', limited: true } });
    expect((await endedIn(workspaceId)).sort()).toEqual([late.qrCodeId, used.qrCodeId].sort());
    expect((await service.as().codes('ListEndedQrRoutes', { limit: 1 })).ended).toHaveLength(1);
    await aCode({ qrCodeId: late.qrCodeId, version: 2, status: 'expired', expiresAt: past });
    expect(await endedIn(workspaceId)).toEqual([used.qrCodeId]);
  });

  test.each([0, 201])('rejects a limit of %d', async (limit) => {
    const call = service.as().codes('ListEndedQrRoutes', { limit });
    await expect(call).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'limit' });
  });
});
