import { snapshotOf } from '../domain/link-snapshot.js';
import type { LinkSnapshot, QrCode } from '../domain/qr-code.js';
import type { Deps } from '../usecase-deps.js';

export type SyncDeps = Pick<Deps, 'store' | 'routes'>;

/**
 * Replaces the snapshots of all QR codes for which `isDue` is true. Keeps those that another call replaced after the
 * code was read; returns false if there are any.
 */
export async function replaceSnapshots(
  { store, routes }: SyncDeps,
  workspaceId: string,
  codes: QrCode[],
  isDue: (code: QrCode, current: LinkSnapshot) => boolean,
): Promise<boolean> {
  const found = await routes.of(
    { workspaceId },
    codes.map(({ _id }) => _id),
  );
  let all = true;
  for (const code of codes) {
    // A code without a route is being created or deleted. Its creation writes the snapshot.
    const followed = found.get(code._id)?.followed;
    const snapshot = followed && snapshotOf(followed);
    if (snapshot && isDue(code, snapshot) && !(await store.qrCodes.replaceSnapshot(code, snapshot))) all = false;
  }
  return all;
}
