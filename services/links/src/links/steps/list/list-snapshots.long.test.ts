import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { driverCollection } from '@tautan/kit/mongo';
import fc from 'fast-check';
import type { Link } from '../../domain/link.js';
import { newLink } from '../../domain/new-link.js';
import { createStore, type Store } from '../../../store/index.js';
import { aDraft } from '../../../testing/links.js';
import { startService, type Caller, type TestService } from '../../../testing/service.js';
import { scan } from './scan.js';

let service: TestService;
let store: Store;
beforeAll(async () => {
  service = await startService();
  store = createStore(service.models, service.models.links.db);
});
afterAll(() => service.stop());

const draft = aDraft('https://example.com/');

/** Returns a link with one of a few click counts and times, so that lists have many ties. */
function aLink(workspaceId: string, seed: number): Link {
  const id = newId('lnk');
  const at = new Date(Date.UTC(2024, 0, 1 + (seed % 3)));
  const metadata = {
    id,
    workspaceId,
    slug: id,
    createdBy: { type: 'user', id: 'usr_1' },
    createdAt: at,
    countedIn: '2024-01',
  } as const;
  const lastClickAt = seed % 2 ? at : null;
  return { ...newLink(draft, metadata), clickCount: seed % 4, lastClickAt, title: seed % 5 ? 'wanted' : 'other' };
}

/** A change between two pages: to the existing link that `at` selects, or a new link with `at` as its seed. */
type Step = { kind: 'insert' | 'delete' | 'edit' | 'click'; at: number };
const steps = fc.array(
  fc.record<Step>({ kind: fc.constantFrom('insert', 'delete', 'edit', 'click'), at: fc.nat(60) }),
  { maxLength: 6 },
);

async function applyStep(workspaceId: string, alive: string[], { kind, at }: Step): Promise<void> {
  const { links } = service.models;
  if (kind === 'insert') {
    const link = aLink(workspaceId, at);
    await driverCollection(links).insertOne(link);
    alive.push(link._id);
    return;
  }
  const _id = alive[at % alive.length];
  if (_id === undefined) return;
  if (kind === 'delete') {
    await links.deleteOne({ _id });
    alive.splice(alive.indexOf(_id), 1);
  } else if (kind === 'edit') {
    await links.updateOne({ _id }, { $set: { description: 'changed', updatedAt: new Date() } });
  } else {
    // The same update as in the consumer of clicks.
    await links.updateOne(
      { _id },
      { $inc: { clickCount: 1 + (at % 3) }, $max: { lastClickAt: new Date(Date.UTC(2024, 1, at)) } },
    );
  }
}

/**
 * Creates `size` links and reads all pages of the list, with changes in between. Returns the ids in the pages, and
 * those of links that existed throughout.
 */
async function readAllWithChanges(
  { links, workspaceId }: Caller,
  request: object,
  limit: number,
  between: Step[][],
  size: number,
) {
  const before = Array.from({ length: size }, (_, i) => aLink(workspaceId, i * 7));
  if (size) await driverCollection(service.models.links).insertMany(before);
  const alive = before.map(({ _id }) => _id);
  const returned: string[] = [];
  for (let cursor: string | undefined, page = 0; ; page += 1) {
    const { links: found, nextCursor } = await links('ListLinks', {
      limit,
      ...request,
      ...(cursor !== undefined && { cursor }),
    });
    returned.push(...found.map(({ id }) => id));
    if (nextCursor === undefined)
      return { returned, throughout: before.map(({ _id }) => _id).filter((id) => alive.includes(id)) };
    cursor = nextCursor;
    for (const step of between[page] ?? []) await applyStep(workspaceId, alive, step);
  }
}

const orders = ['createdAt', 'lastClickAt', 'clickCount'].flatMap((sort) => [
  { sort, order: 'asc' },
  { sort, order: 'desc' },
]);

describe('paging through a list', () => {
  test.each(orders)('in the order %j neither skips nor repeats links that existed throughout', async (request) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(steps, { maxLength: 8 }),
        fc.nat(20),
        async (limit, between, size) => {
          const { returned, throughout } = await readAllWithChanges(service.as(), request, limit, between, size);
          expect(new Set(returned).size).toBe(returned.length);
          expect(returned).toEqual(expect.arrayContaining(throughout));
        },
      ),
      { numRuns: 10 },
    );
  });

  test('of search results neither skips nor repeats links, even if each request examines only a few', async () => {
    const { workspaceId } = service.as();
    const all = Array.from({ length: 60 }, (_, i) => aLink(workspaceId, i * 7));
    await driverCollection(service.models.links).insertMany(all);
    const filter = { workspaceId, tagIds: [], terms: [{ text: 'wanted' }] };
    const wanted = all
      .filter(({ title }) => title === 'wanted')
      .map(({ _id }) => _id)
      .sort();
    for (const key of ['createdAt', 'lastClickAt', 'clickCount'] as const) {
      for (const direction of [1, -1] as const) {
        // No page is full, so that a request ends only because of the number of links that it examined.
        const request = { filter, order: { key, direction }, limit: 60, until: Date.now() + 10_000 };
        const whole = await scan(store.lists, { ...request, limit: 200 });
        const found: Link[] = [];
        let requests = 0;
        for (let position: Parameters<typeof scan>[2]; ; requests += 1) {
          const { links, next } = await scan(store.lists, request, position, { stepSize: 3, maxSteps: 2 });
          found.push(...links);
          if (!next) break;
          position = next;
        }
        expect(found.map(({ _id }) => _id)).toEqual(whole.links.map(({ _id }) => _id));
        expect(found.map(({ _id }) => _id).sort()).toEqual(wanted);
        // Each request examines at most 4 steps of 3 links (see `scan`), and the last request is not counted.
        expect(requests).toBeGreaterThanOrEqual(60 / 12 - 1);
      }
    }
  });
});
