import { fail } from '@tautan/kit';
import { replaceSnapshots, type SyncDeps } from '../steps/replace-snapshots.js';

const PAGE_SIZE = 200;
const MAX_ATTEMPTS = 5;

/**
 * Updates the link snapshots of a link's QR codes. Reads the current state, so events may arrive late, twice or out of
 * order. Throws SERVICE_UNAVAILABLE, so that the event is retried, if other processes keep changing the same snapshots.
 */
export async function syncLinkSnapshots(
  deps: SyncDeps,
  { workspaceId, linkId }: { workspaceId: string; linkId: string },
): Promise<void> {
  for (let after: string | undefined; ;) {
    const codes = await syncPage(deps, workspaceId, linkId, after);
    if (codes.length < PAGE_SIZE) return;
    after = codes.at(-1)!._id;
  }
}

async function syncPage(deps: SyncDeps, workspaceId: string, linkId: string, after: string | undefined) {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const codes = await deps.store.qrCodes.ofLink(workspaceId, linkId, after, PAGE_SIZE);
    // Write even if nothing differs, so that a concurrent write of an older state fails.
    if (await replaceSnapshots(deps, workspaceId, codes, () => true)) return codes;
  }
  throw fail('SERVICE_UNAVAILABLE', 'The QR codes of the link are being changed concurrently.');
}
