import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
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
    const [some] = links;
    expect(await caller.links('GetLink', { idOrSlug: some!.id! })).toEqual(some);
  });

  test('returns links that have reached a limit as expired, even before the sweep', async () => {
    const caller = service.as();
    const late = await caller.aLink({ expiresAt: new Date(Date.now() + 200).toISOString() });
    const used = await caller.aLink({ maxClicks: 1 });
    const open = await caller.aLink({ maxClicks: 2 });
    await service.models.routes.updateMany({ linkId: { $in: [used.id, open.id] } }, { $inc: { remaining: -1 } });
    await until(async () => new Date(late.expiresAt!) < new Date());
    const statuses = new Map((await exported(caller)).map(({ id, status }) => [id, status]));
    expect([late, used, open].map(({ id }) => statuses.get(id))).toEqual(['expired', 'expired', 'active']);
  });

  test('of an empty workspace is empty', async () => {
    expect(await exported(service.as())).toEqual([]);
  });

  test('ends when its reader cancels', async () => {
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
