import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { readLinksConfig } from '../../config.js';
import { start } from '../../main.js';
import { startService, type TestService } from '../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService({ EXPIRY_SWEEP_MS: '50' })));
afterAll(() => service.stop());

const soon = () => new Date(Date.now() + 1_000).toISOString();

describe('the sweep', () => {
  test('marks links past their expiry date as expired in lists, filters and routes, and emits events', async () => {
    const { aLink, links, workspaceId } = service.as();
    const link = await aLink({ slug: 'short-lived', expiresAt: soon(), tags: ['t'] });
    await aLink({ expiresAt: '2090-01-01T00:00:00Z' });
    const filtered = await until(async () => {
      const { links: found } = await links('ListLinks', { limit: 10, status: 'expired' });
      return found.length > 0 ? found : undefined;
    });
    expect(filtered.map(({ id }) => id)).toEqual([link.id]);
    expect((await links('ListLinks', { limit: 10, status: 'active' })).links).toHaveLength(1);
    expect((await service.models.routes.findById('/short-lived').lean())?.status).toBe('expired');
    const expired = (await service.events(workspaceId, 4)).filter(({ type }) => type === 'link.expired');
    expect(expired).toMatchObject([
      {
        actor: { type: 'system' },
        target: { id: link.id },
        data: { id: link.id, status: 'expired', tags: ['t'] },
        changes: { status: { before: 'active', after: 'expired' } },
      },
    ]);
    await until(() => service.invalidated.filter((key) => key === '/short-lived').length === 2);
  });

  test('expires links that have reached their click limit', async () => {
    const { aLink, links } = service.as();
    const link = await aLink({ maxClicks: 3 });
    await service.models.routes.updateOne({ linkId: link.id }, { $inc: { remaining: -3 } });
    await until(async () => (await links('ListLinks', { limit: 10, status: 'expired' })).links[0]?.id === link.id);
  });

  test('leaves archived links archived', async () => {
    const { aLink, links } = service.as();
    const [archived, witness] = [await aLink({ expiresAt: soon() }), await aLink({ expiresAt: soon() })];
    await links('UpdateLink', { id: archived.id, status: 'archived' });
    await until(async () => (await links('ListLinks', { limit: 10, status: 'expired' })).links[0]?.id === witness.id);
    expect((await links('GetLink', { idOrSlug: archived.id })).status).toBe('archived');
  });

  test('emits each expiry once, even if several replicas sweep and many links expire together', async () => {
    const replicas = await Promise.all([1, 2].map(() => start(readLinksConfig(service.settings))));
    const { links, workspaceId } = service.as();
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const rows = Array.from({ length: 250 }, () => ({ link: { url: 'https://example.com', expiresAt } }));
    const created = (await links('ImportLinks', { links: rows })).created;
    const events = await service.events(workspaceId, 2 * created);
    await Promise.all(replicas.map((replica) => replica.stop()));
    const expired = events.filter(({ type }) => type === 'link.expired').map(({ target }) => target.id);
    expect(expired).toHaveLength(created);
    expect(new Set(expired).size).toBe(created);
    expect(await service.models.routes.countDocuments({ workspaceId, status: 'active' })).toBe(0);
  });
});
