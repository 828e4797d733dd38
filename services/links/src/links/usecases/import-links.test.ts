import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KeyedMutex, newUlid } from '@tautan/kit';
import { openDeps } from '../../testing/deps.js';
import { startService, type Caller, type TestService } from '../../testing/service.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { importLinks } from './import-links.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const url = 'https://example.com/';
/** Returns the oldest links of the workspace, up to 200. */
const oldestLinks = async ({ links }: Caller) => (await links('ListLinks', { limit: 200, order: 'asc' })).links;

const failPoint = (mode: 'alwaysOn' | 'off', data?: object) =>
  service.models.links.db
    .getClient()
    .db('admin')
    .command({ configureFailPoint: 'failCommand', mode, ...(data && { data }) });

/** Rows of every kind, with their expected outcomes. */
async function mixedRows(caller: Caller, suffix: string) {
  await caller.aLink({ slug: `Here-Already-${suffix}` });
  await service.as().aLink({ slug: `Foreign-Slug-${suffix}` });
  const deletedLink = await caller.aLink({ slug: `own-deleted-${suffix}` });
  await caller.links('DeleteLink', { id: deletedLink.id });
  const other = service.as();
  const foreignLink = await other.aLink({ slug: `foreign-deleted-${suffix}` });
  await other.links('DeleteLink', { id: foreignLink.id });
  return [
    { row: { link: { url, slug: `Fine-1-${suffix}`, tags: ['a', 'B'], title: 'One' } } },
    { row: { link: { url, slug: `fINE-1-${suffix}` } }, code: 'SLUG_TAKEN', field: 'slug' },
    { row: { link: { url: 'nonsense' } }, code: 'VALIDATION_ERROR', field: 'url' },
    { row: { link: { url } } },
    { row: { link: { url, slug: `here-already-${suffix}` } }, code: 'SLUG_TAKEN', field: 'slug' },
    { row: { link: { url, slug: `foreign-slug-${suffix}` } }, code: 'SLUG_TAKEN', field: 'slug' },
    { row: { link: { url, slug: `foreign-deleted-${suffix}` } }, code: 'SLUG_TAKEN', field: 'slug' },
    { row: { link: { url, slug: `own-deleted-${suffix}` } } },
    { row: { link: { url }, createdAt: '2011-05-06T07:08:09+02:00' } },
    { row: { link: { url }, createdAt: '2090-01-01T00:00:00Z' }, code: 'VALIDATION_ERROR', field: 'createdAt' },
    { row: { link: { url }, createdAt: '1999-01-01T00:00:00Z' }, code: 'VALIDATION_ERROR', field: 'createdAt' },
    { row: { link: { url, expiresAt: '2020-01-01T00:00:00Z' } }, code: 'VALIDATION_ERROR', field: 'expiresAt' },
    {
      row: { link: { url, expiresAt: '2020-01-01T00:00:00Z' }, status: 'active' },
      code: 'VALIDATION_ERROR',
      field: 'expiresAt',
    },
    { row: { link: { url }, status: 'paused' }, code: 'VALIDATION_ERROR', field: 'status' },
    { row: { link: { url, tags: ['fine', ' '] } }, code: 'VALIDATION_ERROR', field: 'tags.1' },
    { row: { link: { url, domain: 'a.example' } }, code: 'VALIDATION_ERROR', field: 'domain' },
    {
      row: { error: { code: 'VALIDATION_ERROR', message: 'no', field: 'colour' } },
      code: 'VALIDATION_ERROR',
      field: 'colour',
    },
    { row: { link: { url, tags: ['A', 'c'], maxClicks: 5 } } },
  ];
}

describe('an import', () => {
  test.each([true, false])('checks every row independently (dry run: %s)', async (dryRun) => {
    const caller = service.as();
    const rows = await mixedRows(caller, String(dryRun));
    const before = await oldestLinks(caller);
    const outcome = await caller.links('ImportLinks', { dryRun, links: rows.map(({ row }) => row) });
    expect(outcome.results.map(({ index }) => index)).toEqual(rows.map((_, i) => i));
    for (const [i, { code, field }] of rows.entries()) {
      const result = outcome.results[i]!;
      if (code) expect(result).toMatchObject({ status: 'failed', error: { code, field } });
      else expect(result).toMatchObject({ status: dryRun ? 'valid' : 'created', error: null });
    }
    expect(outcome.results[0]!.slug).toBe(`Fine-1-${dryRun}`);
    expect(outcome).toMatchObject({ dryRun, total: 18, created: dryRun ? 0 : 5, failed: 13 });
    const after = await oldestLinks(caller);
    if (dryRun) expect(after).toEqual(before);
    else expect(after).toHaveLength(before.length + 5);
  });

  test('creates links with all their fields, tags, routes and events, and with the given creation times', async () => {
    const caller = service.as();
    const { results } = await caller.links('ImportLinks', {
      links: [
        {
          link: { url, slug: 'Imported', tags: ['x', 'Y'], maxClicks: 3, title: 'T' },
          createdAt: '2015-01-01T00:00:00Z',
        },
        { link: { url, tags: ['X'] } },
      ],
    });
    const link = await caller.links('GetLink', { idOrSlug: 'imported' });
    expect(link).toMatchObject({ id: results[0]!.id, slug: 'Imported', tags: ['x', 'Y'], maxClicks: 3, title: 'T' });
    expect(link.createdAt).toBe('2015-01-01T00:00:00.000Z');
    expect(await service.models.routes.findById('/imported').lean()).toMatchObject({ linkId: link.id, remaining: 3 });
    const { tags } = await caller.tags('ListTags', {});
    expect(tags.map(({ name, linkCount }) => [name, linkCount])).toEqual([
      ['x', 2],
      ['Y', 1],
    ]);
    const types = (await service.events(caller.workspaceId, 4)).map(({ type }) => type).sort();
    expect(types).toEqual(['link.created', 'link.created', 'tag.created', 'tag.created']);
    expect(service.invalidated).toContain('/imported');
  });

  test.each(['expired', 'archived'])('creates %s links, whose expiry date may be in the past', async (status) => {
    const caller = service.as();
    const link = { url, slug: `once-${status}`, expiresAt: '2020-01-01T00:00:00Z' };
    expect(await caller.links('ImportLinks', { links: [{ link, status }] })).toMatchObject({ created: 1 });
    const created = await caller.links('GetLink', { idOrSlug: link.slug });
    expect(created).toMatchObject({ status, expiresAt: '2020-01-01T00:00:00.000Z' });
    expect(await service.models.routes.findById(`/${link.slug}`).lean()).toMatchObject({ status });
    expect(await service.events(caller.workspaceId, 1)).toMatchObject([{ type: 'link.created', data: { status } }]);
    const activate = caller.links('UpdateLink', { id: created.id, status: 'active' });
    await expect(activate).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'expiresAt' });
  });

  test('creates 1,000 links in the order of the rows', async () => {
    const caller = service.as();
    const rows = Array.from({ length: 1_000 }, (_, i) => ({ link: { url: `${url}${i}`, tags: ['all', `t${i % 5}`] } }));
    const outcome = await caller.links('ImportLinks', { links: rows });
    expect(outcome).toMatchObject({ total: 1_000, created: 1_000, failed: 0 });
    expect((await oldestLinks(caller)).map((link) => link.url)).toEqual(rows.slice(0, 200).map(({ link }) => link.url));
    const counts = (await caller.tags('ListTags', {})).tags.map(({ linkCount }) => linkCount);
    expect(counts).toEqual([1_000, 200, 200, 200, 200, 200]);
    expect(new Set(outcome.results.map(({ slug }) => slug)).size).toBe(1_000);
  });

  test('creates rows one by one if their chunk conflicts with another request', async () => {
    const caller = service.as();
    let turns = 0;
    const opened = await openDeps(service.settings);
    const inOrder: ApiDeps['inOrder'] = async (key, work) => {
      turns += 1;
      if (turns === 1) await service.as().aLink({ slug: 'chunk-1' });
      return opened.deps.inOrder(key, work);
    };
    const links = [0, 1, 2].map((i) => ({ link: { url, slug: `chunk-${i}`, tags: [] }, error: null }));
    const { results } = await importLinks({ ...opened.deps, inOrder }, caller.by, { dryRun: false, links });
    await opened.close();
    expect(results).toMatchObject([{ status: 'created' }, { error: { code: 'SLUG_TAKEN' } }, { status: 'created' }]);
    expect(turns).toBe(1 + links.length);
  });

  test('creates each slug once if several imports request it concurrently', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({ link: { url, slug: `race-${i}` } }));
    const outcomes = await Promise.all([1, 2, 3].map(() => service.as().links('ImportLinks', { links: rows })));
    expect(outcomes.reduce((sum, { created }) => sum + created, 0)).toBe(30);
    for (const { results } of outcomes) {
      for (const { status, error } of results) expect(status === 'created' || error?.code === 'SLUG_TAKEN').toBe(true);
    }
  });

  test('if its deadline passes while a row waits, says that some rows may have been created', async () => {
    const caller = service.as();
    const opened = await openDeps(service.settings);
    const [mutex, deadline] = [new KeyedMutex(), new AbortController()];
    let turns = 0;
    const inOrder: ApiDeps['inOrder'] = (key, work) => {
      turns += 1;
      // The first turn is that of the chunk, which fails. Each further turn writes one row.
      if (turns === 1) return Promise.reject(new Error('a conflict'));
      if (turns === 3) deadline.abort();
      return mutex.run(key, work, deadline.signal);
    };
    const row = { link: { url, tags: [] }, error: null };
    const deps = { ...opened.deps, inOrder, signal: deadline.signal };
    const outcome = importLinks(deps, caller.by, { dryRun: false, links: [row, row] });
    const message = expect.stringContaining('Some of the rows may have been created');
    await expect(outcome).rejects.toMatchObject({ code: 'TIMEOUT', message });
    await opened.close();
    expect(await oldestLinks(caller)).toHaveLength(1);
  });

  test('reports rows that an earlier attempt of the operation created, and creates the others', async () => {
    const caller = service.as();
    const operationId = newUlid();
    const rows = Array.from({ length: 3 }, (_, i) => ({ link: { url, ...(i === 1 && { slug: 'again-and-again' }) } }));
    const first = await caller.links('ImportLinks', { links: rows.slice(0, 2), operationId });
    const second = await caller.links('ImportLinks', { links: rows, operationId });
    expect(second.results.slice(0, 2)).toEqual(first.results);
    expect(second).toMatchObject({ created: 3, failed: 0 });
    expect(await oldestLinks(caller)).toHaveLength(3);
    expect((await oldestLinks(caller)).map(({ id }) => id)).toEqual(second.results.map(({ id }) => id));
  });

  test('reports committed rows as created, even if the commit returned an error', async () => {
    const caller = service.as();
    const rows = [{ link: { url, slug: 'lost-response' } }, { link: { url } }];
    // The commit is executed, but its result stays unknown.
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
    const data = { failCommands: ['commitTransaction'], writeConcernError, appName: 'links' };
    await failPoint('alwaysOn', data);
    const outcome = await caller.links('ImportLinks', { links: rows }).finally(() => failPoint('off'));
    expect(outcome).toMatchObject({ created: 2, failed: 0 });
    expect((await oldestLinks(caller)).map(({ id }) => id)).toEqual(outcome.results.map(({ id }) => id));
  });

  test('is rejected if it has no rows or more than 1,000, or an operation id that is not a ULID', async () => {
    const { links } = service.as();
    const invalidId = links('ImportLinks', { links: [{ link: { url } }], operationId: 'again' });
    await expect(invalidId).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'operationId' });
    for (const count of [0, 1_001]) {
      const rows = Array.from({ length: count }, () => ({ link: { url } }));
      const invalid = { code: 'VALIDATION_ERROR', field: 'links' };
      await expect(links('ImportLinks', { links: rows })).rejects.toMatchObject(invalid);
    }
  });
});
