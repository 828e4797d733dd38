import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Link } from '@tautan/proto';
import { startService, type Caller, type TestService } from '../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

async function exported(caller: Caller): Promise<Link[]> {
  const links: Link[] = [];
  for await (const chunk of caller.export()) links.push(...chunk.links);
  return links;
}

describe('an export', () => {
  test('streams every link of the workspace once, oldest first', async () => {
    const caller = service.as();
    await service.as().aLink();
    const createdAt = (i: number) => new Date(Date.UTC(2020, 0, 1 + ((i * 7) % 3))).toISOString();
    for (let part = 0; part < 2; part += 1) {
      const rows = Array.from({ length: 1_000 }, (_, i) => ({
        link: { url: `https://example.com/${part}/${i}`, tags: ['t'] },
        createdAt: createdAt(i),
      }));
      await caller.links('ImportLinks', { links: rows });
    }
    const links = await exported(caller);
    expect(links).toHaveLength(2_000);
    expect(new Set(links.map(({ id }) => id)).size).toBe(2_000);
    expect(links.map(({ createdAt }) => createdAt)).toEqual(links.map(({ createdAt }) => createdAt).toSorted());
    const [oldest] = links;
    expect(await caller.links('GetLink', { idOrSlug: oldest!.id! })).toEqual(oldest);
  });

  test('returns links of every status, and those that have reached a limit as expired, even before the sweep', async () => {
    const caller = service.as();
    const late = await caller.aLink({ expiresAt: '2090-01-01T00:00:00Z' });
    await service.models.links.updateOne({ _id: late.id }, { expiresAt: new Date(0) });
    const used = await caller.aLink({ maxClicks: 1 });
    const open = await caller.aLink({ maxClicks: 2 });
    const archived = await caller.aLink();
    await caller.links('UpdateLink', { id: archived.id, status: 'archived' });
    await service.models.routes.updateMany({ linkId: { $in: [used.id, open.id] } }, { $inc: { remaining: -1 } });
    const statuses = new Map((await exported(caller)).map(({ id, status }) => [id, status]));
    const found = [late, used, open, archived].map(({ id }) => statuses.get(id));
    expect(found).toEqual(['expired', 'expired', 'active', 'archived']);
  });

  test('of an empty workspace is empty, and recorded', async () => {
    const caller = service.as();
    const { workspaceId, by } = caller;
    expect(await exported(caller)).toEqual([]);
    expect(await service.events(workspaceId, 1)).toMatchObject([
      {
        type: 'export.performed',
        actor: { id: by.id },
        target: { type: 'workspace', id: workspaceId, label: 'links' },
        data: { what: 'links' },
      },
    ]);
  });

  test('that its reader cancels does not affect the next one', async () => {
    const caller = service.as();
    const rows = Array.from({ length: 1_000 }, () => ({ link: { url: 'https://example.com' } }));
    await caller.links('ImportLinks', { links: rows });
    for await (const chunk of caller.export()) {
      expect(chunk.links.length).toBeGreaterThan(0);
      break;
    }
    expect(await exported(caller)).toHaveLength(1_000);
  });
});
