import { expect, test } from '@jest/globals';
import type { SyncDeps } from '../steps/replace-snapshots.js';
import { syncLinkSnapshots } from './sync-link-snapshots.js';

/**
 * Syncs the `count` QR codes of a link. The first `races` writes fail, as they do after a concurrent write. Returns the
 * outcome, the number of replaced snapshots, and the id after which each read started.
 */
async function sync(count: number, races = 0) {
  const codes = Array.from({ length: count }, (_, n) => ({ _id: `qr_${String(n).padStart(3, '0')}` }));
  const reads: (string | undefined)[] = [];
  const written = new Set<string>();
  let left = races;
  const qrCodes = {
    ofLink: async (_workspaceId: string, _linkId: string, after: string | undefined, limit: number) => {
      reads.push(after);
      return codes.filter(({ _id }) => _id > (after ?? '')).slice(0, limit);
    },
    replaceSnapshot: async ({ _id }: { _id: string }) => {
      if (left > 0) return (left -= 1) < 0;
      return Boolean(written.add(_id));
    },
  };
  const followed = { url: 'https://example.com', status: 'active', expiresAt: null };
  const routes = { of: async (_by: unknown, ids: string[]) => new Map(ids.map((id) => [id, { followed }])) };
  const deps = { store: { qrCodes }, routes } as unknown as SyncDeps;
  const outcome = await syncLinkSnapshots(deps, { workspaceId: 'ws_1', linkId: 'lnk_1' })
    .then(() => 'done')
    .catch((error: { code?: string }) => error.code);
  return { outcome, written: written.size, reads };
}

test('the snapshots of all QR codes of a link are replaced, however many there are', async () => {
  expect(await sync(450)).toEqual({ outcome: 'done', written: 450, reads: [undefined, 'qr_199', 'qr_399'] });
  expect(await sync(200)).toEqual({ outcome: 'done', written: 200, reads: [undefined, 'qr_199'] });
});

test('a page is read again after a concurrent change, up to five times in total', async () => {
  expect(await sync(1, 4)).toMatchObject({ outcome: 'done', written: 1, reads: Array(5).fill(undefined) });
  expect(await sync(1, 5)).toMatchObject({
    outcome: 'SERVICE_UNAVAILABLE',
    written: 0,
    reads: Array(5).fill(undefined),
  });
});
