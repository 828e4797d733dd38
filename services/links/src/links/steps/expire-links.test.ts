import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDeps } from '../../testing/deps.js';
import { startService, type TestService } from '../../testing/service.js';
import { expireLinks } from './expire-links.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

test('only active links that have reached a limit expire, each once, and the redirects of their QR codes are invalidated', async () => {
  const [one, other] = [service.as(), service.as()];
  const used = await one.aLink({ maxClicks: 1 });
  const { id: linkId } = used;
  const follower = await one.aCode({ linkId });
  const usedCode = await one.aCode({ linkId, maxScans: 1 });
  const archived = await one.aLink({ maxClicks: 1 });
  await one.links('UpdateLink', { id: archived.id, status: 'archived' });
  const unused = await one.aLink({ maxClicks: 1 });
  const foreign = await other.aLink({ maxClicks: 1 });
  const keyOf = ({ slug }: { slug: string }) => `/${slug}`;
  const usedUp = [used, usedCode, archived, foreign].map(keyOf);
  await service.models.routes.updateMany({ _id: { $in: usedUp } }, { $set: { remaining: 0 } });

  const invalidated: string[] = [];
  const invalidate = (keys: string[]) => void invalidated.push(...keys);
  const opened = await openDeps(service.settings, { invalidate });
  const expired = await expireLinks(opened.deps, [...usedUp, keyOf(unused)]).finally(() => opened.close());

  expect(expired).toBe(2);
  expect(invalidated.sort()).toEqual([used, foreign, follower, usedCode].map(keyOf).sort());
  const statusOf = async (link: { slug: string }) => (await service.models.routes.findById(keyOf(link)).lean())!.status;
  expect(await Promise.all([used, foreign, archived, unused, usedCode].map(statusOf))).toEqual([
    'expired',
    'expired',
    'archived',
    'active',
    'active',
  ]);
  for (const [{ workspaceId }, link, count] of [
    [one, used, 5],
    [other, foreign, 2],
  ] as const) {
    const events = await service.events(workspaceId, count);
    expect(events.filter(({ type }) => type === 'link.expired').map(({ target }) => target.id)).toEqual([link.id]);
  }
});
