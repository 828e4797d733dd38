import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog, newId } from '@tautan/kit';
import { asFinds, broadcastOf, unshardableIndexes, type RecordedQuery } from '@tautan/kit/testing';
import type { Connection } from 'mongoose';
import type { DnsLookup } from '../domains/dns/dns-lookup.js';
import { openDeps, type OpenDeps } from '../testing/deps.js';
import { aPrincipal, startService, type TestService } from '../testing/service.js';
import { addDomain } from '../domains/usecases/add-domain.js';
import { bulkLinks } from '../links/usecases/bulk-links.js';
import { createLink } from '../links/usecases/create-link.js';
import { createTag } from '../tags/usecases/create-tag.js';
import { deleteDomain } from '../domains/usecases/delete-domain.js';
import { deleteLink } from '../links/usecases/delete-link.js';
import { deleteTag } from '../tags/usecases/delete-tag.js';
import type { ApiDeps } from '../usecase-deps.js';
import { exportLinks } from '../links/usecases/export-links.js';
import { applyBatches } from '../stats/apply-batches.js';
import { closeDays } from '../stats/close-days.js';
import { aClickBatch, unlimitedRetention } from '../testing/clicks.js';
import { exportLinkStats } from '../stats/usecases/export-link-stats.js';
import { getLink } from '../links/usecases/get-link.js';
import { getLinkStats } from '../stats/usecases/get-link-stats.js';
import { getQrCodeStats } from '../stats/usecases/get-qr-code-stats.js';
import { getUsage } from '../links/usecases/get-usage.js';
import { getWorkspaceStats } from '../stats/usecases/get-workspace-stats.js';
import { findTags } from '../tags/usecases/find-tags.js';
import { listEndedQrRoutes } from '../qr-routes/usecases/list-ended-qr-routes.js';
import { listQrRoutes } from '../qr-routes/usecases/list-qr-routes.js';
import { putQrRoute } from '../qr-routes/usecases/put-qr-route.js';
import { removeQrRoute } from '../qr-routes/usecases/remove-qr-route.js';
import { getDomain } from '../domains/usecases/get-domain.js';
import { importLinks } from '../links/usecases/import-links.js';
import { listDomains } from '../domains/usecases/list-domains.js';
import { listLinks } from '../links/usecases/list-links.js';
import { listTags } from '../tags/usecases/list-tags.js';
import { recheckDomains } from '../domains/usecases/recheck-domains.js';
import { renameTag } from '../tags/usecases/rename-tag.js';
import { sweepLinks } from '../links/usecases/sweep-links.js';
import { updateDomain } from '../domains/usecases/update-domain.js';
import { updateLink } from '../links/usecases/update-link.js';
import { verifyDomain } from '../domains/usecases/verify-domain.js';
import { createModels } from './models.js';
import { PlanStore } from '../stats/store/plans.js';
import { broadcastQueries } from './sharding.js';

let service: TestService;
let connection: Connection;
let opened: OpenDeps;
let deps: ApiDeps;
/** Every query that the use cases sent, as a find command. */
const queries: RecordedQuery[] = [];
const by = aPrincipal();
/** Resolves every name to the DNS records that verify the workspace's domain. */
const lookUp: DnsLookup = async () => {
  const { token } = (await opened.models.domains.findOne({ workspaceId: by.workspaceId }).lean())!;
  return { ownership: [`tautan-verify=${token}`], cname: ['go.example.com'], a: [], aaaa: [], target: [] };
};

beforeAll(async () => {
  service = await startService();
  opened = await openDeps(service.settings, { lookUp });
  ({ deps, connection } = opened);
  connection.getClient().on('commandStarted', ({ command }) => queries.push(...asFinds(command)));
});
afterAll(async () => {
  await opened.close();
  await service.stop();
});

/** Returns a predicate that is true for the first command of each shape, ignoring values but not their types. */
function firstOfShape(): (command: RecordedQuery) => boolean {
  const seen = new Set<string>();
  const shapeOf = (command: RecordedQuery): string =>
    JSON.stringify(command, (key, value: unknown) => {
      if (Array.isArray(value) && key === '$in') return value.slice(0, 1) as unknown[];
      return value === null || typeof value === 'object' || key === 'find' || key === '_id' ? value : typeof value;
    }).replace(/"(lnk|tag|qr)_\w+"|"\/[\w-]+"|"\d{4}-[^"]+"/g, '"value"');
  return (command) => seen.size < seen.add(shapeOf(command)).size;
}

interface Explained {
  queryPlanner: { winningPlan: object };
  executionStats: { totalKeysExamined: number; totalDocsExamined: number };
}

/** The relevant parts of a query plan. */
async function planOf(command: RecordedQuery) {
  const explained = await connection.db!.command({ explain: command, verbosity: 'executionStats' });
  const { queryPlanner, executionStats } = explained as Explained;
  const stages = JSON.stringify(queryPlanner.winningPlan)
    .match(/"stage":"[A-Z_]+"/g)!
    .map((text) => text.slice(9, -1));
  return { stages, keys: executionStats.totalKeysExamined, docs: executionStats.totalDocsExamined };
}

/** Calls every use case in every way that changes its queries. */
async function everyUseCase(): Promise<void> {
  const link = await createLink(deps, by, { url: 'https://example.com', tags: ['a', 'b'], slug: 'indexed' });
  await getUsage(deps, by);
  await deps.usage.drift({ workspaceId: by.workspaceId, limit: 'domains' });
  await getLink(deps, by, { idOrSlug: link.id });
  await getLink(deps, by, { idOrSlug: 'INDEXED' });
  await getLink(deps, by, { idOrSlug: newId('lnk') }).catch(() => {});
  await getLink(deps, by, { idOrSlug: 'nowhere' }).catch(() => {});
  await updateLink(deps, by, { id: link.id, slug: 'indexed-2', tags: ['b', 'c'], maxClicks: 5, clear: [] });
  await bulkLinks(deps, by, { action: 'archive', ids: [link.id] });
  const rows = Array.from({ length: 600 }, (_, i) => ({
    link: { url: 'https://example.com', slug: `row${i}`, tags: ['a'] },
    createdAt: '2020-01-01T00:00:00Z',
    error: null,
  }));
  await importLinks(deps, by, { dryRun: false, links: rows, operationId: newId('lnk').slice(4) });
  for await (const _ of exportLinks(deps, by)) continue;
  for (const sort of ['createdAt', 'lastClickAt', 'clickCount']) {
    for (const order of ['asc', 'desc']) {
      for (const filter of [
        {},
        { q: 'row' },
        { status: 'active' },
        { tags: ['a'] },
        { tags: ['a', 'b'], status: 'active', q: 'x' },
        { domain: 'default', createdBy: by.id, createdFrom: '2020-01-01', createdTo: '2030-01-01' },
      ]) {
        let cursor: string | undefined;
        for (let page = 0; page < 3; page += 1) {
          const { nextCursor } = await listLinks(deps, by, { tags: [], limit: 5, sort, order, ...filter, cursor });
          if (!(cursor = nextCursor)) break;
        }
      }
    }
  }
  await listTags(deps, by);
  const tag = await createTag(deps, by, { name: 'd' });
  await renameTag(deps, by, { id: tag.id, name: 'e' });
  await deleteTag(deps, by, { id: tag.id });
  await sweepLinks(deps);
  await everyStatistic(link.id);
  await everyQrRoute(link.id);
  await deleteLink(deps, by, { id: link.id });
  await everyDomainUseCase();
}

async function everyDomainUseCase(): Promise<void> {
  const { id, domain } = await addDomain(deps, by, { domain: 'links.customer.example' });
  await verifyDomain(deps, by, { id });
  await updateDomain(deps, by, { id, rootUrl: 'https://example.com', clear: [] });
  await getDomain(deps, by, { id });
  await getDomain(deps, by, { id: newId('dom') }).catch(() => {});
  await listDomains(deps, by);
  const row = {
    link: { url: 'https://example.com', domain, tags: [] },
    createdAt: '2020-01-01T00:00:00Z',
    error: null,
  };
  await importLinks(deps, by, { dryRun: true, links: [row] });
  const link = await createLink(deps, by, { url: 'https://example.com', domain, tags: [] });
  await updateLink(deps, by, { id: link.id, slug: 'moved', clear: [] });
  await deleteLink(deps, by, { id: link.id });
  await opened.models.domains.updateOne({ _id: id }, { $set: { nextCheckAt: new Date(0) } });
  await recheckDomains(deps);
  await deleteDomain(deps, by, { id });
}

/** Creates, changes and removes routes of QR codes. Some of them belong to a link whose URL changes. */
async function everyQrRoute(linkId: string): Promise<void> {
  const [qrCodeId, other] = [newId('qr'), newId('qr')];
  await putQrRoute(deps, by, { qrCodeId, version: 1, linkId, status: 'active', tags: ['a', 'qr'] });
  await putQrRoute(deps, by, { qrCodeId, version: 2, linkId, status: 'active', tags: ['b'], maxScans: 3 });
  await putQrRoute(deps, by, { qrCodeId: other, version: 1, url: 'https://example.com', status: 'active' });
  await updateLink(deps, by, { id: linkId, url: 'https://example.com/followed', clear: [] });
  await listQrRoutes(deps, by, { qrCodeIds: [qrCodeId, other] });
  await listEndedQrRoutes(deps, { limit: 200 });
  await getQrCodeStats(deps, by, { qrCodeId, from: '2026-01-01', to: '2026-01-03' });
  await findTags(deps, by, { namesOrIds: ['a', newId('tag')] });
  const removed = await createTag(deps, by, { name: 'removed' });
  await putQrRoute(deps, by, { qrCodeId, version: 3, linkId, status: 'active', tags: ['removed'] });
  await deleteTag(deps, by, { id: removed.id });
  await removeQrRoute(deps, by, { qrCodeId: other });
}

/**
 * Counts many clicks on a UTC day and reads statistics in a time zone in which midnight falls within that day, so that
 * its quarter hours are read. Then closes the day and extends the retention of the statistics.
 */
async function everyStatistic(link: string): Promise<void> {
  const clicks = Array.from({ length: 200 }, (_, i) => ({
    link,
    workspace: by.workspaceId,
    at: `2026-01-01T10:00:00Z`,
    visitor: `${i}`,
  }));
  const models = createModels(connection);
  const applyDeps = { connection, models, stats: deps.stats, plans: new PlanStore(models, unlimitedRetention) };
  await applyBatches(applyDeps, [aClickBatch(clicks)]);
  const range = { from: '2026-01-01', to: '2026-01-03' };
  await getLinkStats(deps, by, { idOrSlug: link, ...range, tz: 'Asia/Kathmandu' });
  await exportLinkStats(deps, by, { idOrSlug: link, ...range });
  await getWorkspaceStats(deps, by, range);
  expect(await closeDays({ ...applyDeps, log: createLog('test', 'silent') }, new Date())).toBe(1);
  await deps.stats.extendRetention(by.workspaceId, 1);
}

test('this suite calls every use case', () => {
  const source = join(import.meta.dirname, '..', '..', 'src');
  const suite = readFileSync(join(source, 'store', 'indexes.test.ts'), 'utf8');
  const useCases = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\/usecases\/[\w-]+\.ts$/.test(path),
  );
  expect(useCases.length).toBeGreaterThan(25);
  expect(useCases.filter((path) => !suite.includes(`from '../${path.replace(/ts$/, 'js')}'`))).toEqual([]);
});

describe('the indexes', () => {
  test('serve every query of every use case', async () => {
    queries.length = 0;
    await everyUseCase();
    const sent = queries.splice(0).filter(firstOfShape());
    expect(new Set(sent.map(({ find }) => find))).toEqual(
      new Set([
        'links',
        'tags',
        'redirects',
        'qr_targets',
        'domains',
        'list_orders',
        'list_order_chunks',
        'tag_removals',
        'outbox',
        'applied_batches',
        'stats_days',
        'stats_quarters',
        'workspace_plans',
        'usage_counters',
        'click_usage',
      ]),
    );
    expect(sent.length).toBeGreaterThan(60);
    const scanning = [];
    for (const command of sent) {
      // This query reads a whole collection, which only contains work in progress.
      if (command['find'] === 'tag_removals' && Object.keys(command.filter ?? {}).length === 0) continue;
      if ((await planOf(command)).stages.includes('COLLSCAN')) scanning.push(command);
    }
    expect(scanning).toEqual([]);
    // A rebuild of statistics is an operator command, not a use case.
    const rebuild = 'stats_days: _id';
    expect(new Set([...broadcastOf(sent, connection.models), rebuild])).toEqual(new Set(Object.keys(broadcastQueries)));
    expect(unshardableIndexes(opened.models)).toEqual([]);
  }, 120_000);

  test.each(['createdAt', 'lastClickAt', 'clickCount'])(
    'let a list sorted by %s read only the index entries of one page, at any position',
    async (sort) => {
      for (const order of ['asc', 'desc']) {
        let cursor: string | undefined;
        for (let page = 0; page < 13; page += 1) {
          queries.length = 0;
          const { links, nextCursor } = await listLinks(deps, by, { tags: [], limit: 40, sort, order, cursor });
          expect(links).toHaveLength(40);
          const plans = await Promise.all(
            queries
              // Excludes the queries that read the links of a snapshot by their ids.
              .filter((query) => query.find === 'links' && !('_id' in query.filter && !('sort' in query)))
              .map(planOf),
          );
          // Reading the second page of a list whose sort key changes with clicks writes a snapshot.
          if (page !== 1 || sort === 'createdAt') {
            for (const plan of plans) {
              expect(plan.stages).not.toContain('SORT');
              expect(plan.keys).toBeLessThanOrEqual(43);
            }
          }
          if (!(cursor = nextCursor)) break;
        }
      }
    },
  );

  test('give the position of the nth link of a range from index entries alone', async () => {
    const filter = { workspaceId: by.workspaceId, tagIds: [], terms: [{ text: 'x' }] };
    const until = Date.now() + 60_000;
    for (const key of ['createdAt', 'lastClickAt', 'clickCount'] as const) {
      queries.length = 0;
      const value = key === 'createdAt' ? new Date('2020-01-01T00:00:00Z') : key === 'lastClickAt' ? null : 0;
      const place = await deps.store.lists.nthPosition(filter, { key, direction: -1 }, { equal: value }, 300, until);
      expect(place?.id).toMatch(/^lnk_/);
      // The index contains the requested fields, so that a server that supports covered queries reads no document.
      expect(queries[0]).toMatchObject({ projection: { [key]: 1, _id: 1 } });
      const plan = await planOf(queries[0]!);
      expect(plan.stages).not.toContain('SORT');
      expect(plan.keys).toBe(300);
    }
  });
});
