import { expect, test } from '@jest/globals';
import type { SyncDeps } from '../steps/replace-snapshots.js';
import { sweepLinkSnapshots } from './sweep-link-snapshots.js';

const current = { url: 'https://example.com/new', status: 'active', expiresAt: null };
/** The id of a QR code that is being created or deleted, and has no route. */
const withoutRoute = 'qr_gone';

/** Returns `count` QR codes with the given snapshot of their link; null: without a snapshot. */
const codesWith = (count: number, followed: object | null) =>
  Array.from({ length: count }, (_, n) => ({ _id: `qr_${String(n).padStart(3, '0')}`, followed }));

/** Sweeps the QR codes of workspaces. Returns the number of replaced snapshots per workspace. */
async function sweep(workspaces: Record<string, ReturnType<typeof codesWith>>) {
  const replaced: Record<string, number> = {};
  let workspace = '';
  const qrCodes = {
    workspaceAfter: async (after: string) => Object.keys(workspaces).find((id) => id > after),
    linked: async (workspaceId: string, after: string | undefined, limit: number) => {
      workspace = workspaceId;
      return workspaces[workspaceId]!.filter(({ _id }) => _id > (after ?? '')).slice(0, limit);
    },
    replaceSnapshot: async () => Boolean((replaced[workspace] = (replaced[workspace] ?? 0) + 1)),
  };
  const routes = {
    of: async (_by: unknown, ids: string[]) =>
      new Map(ids.flatMap((id) => (id === withoutRoute ? [] : [[id, { followed: current }]]))),
  };
  await sweepLinkSnapshots({ store: { qrCodes }, routes } as unknown as SyncDeps);
  return replaced;
}

test('all missing or outdated snapshots are replaced, in every workspace', async () => {
  const replaced = await sweep({
    ws_1: codesWith(450, { ...current, url: 'https://example.com/old' }),
    ws_2: codesWith(200, { ...current, status: 'archived' }),
    ws_3: codesWith(3, current),
    ws_4: [...codesWith(1, null), { _id: withoutRoute, followed: null }],
  });
  expect(replaced).toEqual({ ws_1: 450, ws_2: 200, ws_4: 1 });
});
