import { fail } from '@tautan/kit';
import { snapshotOf } from '../domain/link-snapshot.js';
import type { LinkSnapshot, QrCode } from '../domain/qr-code.js';
import type { Deps } from '../usecase-deps.js';

type SyncDeps = Pick<Deps, 'store' | 'routes'>;

const STEP = 200;
const MAX_ATTEMPTS = 5;

/**
 * Updates the link snapshots of a link's QR codes. Reads the current state, so that events may be late, duplicated and out of
 * order. Throws SERVICE_UNAVAILABLE, to be retried, while others replace the same snapshots.
 */
export async function syncLinkSnapshots(deps: SyncDeps, workspaceId: string, linkId: string): Promise<void> {
  for (let after: string | undefined; ;) {
    const codes = await syncPage(deps, workspaceId, linkId, after);
    if (codes.length < STEP) return;
    after = codes.at(-1)!._id;
  }
}

async function syncPage(deps: SyncDeps, workspaceId: string, linkId: string, after: string | undefined) {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const codes = await deps.store.qrCodes.ofLink(workspaceId, linkId, after, STEP);
    // Write even if nothing differs, so that a concurrent writer with an older state is detected.
    if (await replaceSnapshots(deps, workspaceId, codes, () => true)) return codes;
  }
  throw fail('SERVICE_UNAVAILABLE', 'The QR codes of the link are being changed concurrently.');
}

/**
 * Replaces the snapshots of QR codes for which `isDue` is true. Returns false if one was replaced since the codes were read.
 */
async function replaceSnapshots(
  { store, routes }: SyncDeps,
  workspaceId: string,
  codes: QrCode[],
  isDue: (code: QrCode, now: LinkSnapshot) => boolean,
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

const differs = ({ followed }: QrCode, { url, status }: LinkSnapshot): boolean =>
  followed?.url !== url || followed.status !== status;

/**
 * Compares the snapshots of all QR codes with their links and replaces those that differ: missing ones of earlier versions, and
 * those whose event was lost.
 */
export async function sweepLinkSnapshots(deps: SyncDeps): Promise<void> {
  let workspaceId: string | undefined = '';
  while ((workspaceId = await deps.store.qrCodes.workspaceAfter(workspaceId)) !== undefined) {
    for (let after: string | undefined; ;) {
      const codes = await deps.store.qrCodes.linked(workspaceId, after, STEP);
      await replaceSnapshots(deps, workspaceId, codes, differs);
      if (codes.length < STEP) break;
      after = codes.at(-1)!._id;
    }
  }
}
