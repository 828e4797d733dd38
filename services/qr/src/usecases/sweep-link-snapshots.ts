import type { LinkSnapshot, QrCode } from '../domain/qr-code.js';
import { replaceSnapshots, type SyncDeps } from '../steps/replace-snapshots.js';

const PAGE_SIZE = 200;

const differs = ({ followed }: QrCode, { url, status }: LinkSnapshot): boolean =>
  followed?.url !== url || followed.status !== status;

/**
 * Compares the snapshots of all QR codes with their links and replaces those that differ. A snapshot is missing if an
 * earlier version of Tautan created the QR code, and outdated if the event of a change was lost.
 */
export async function sweepLinkSnapshots(deps: SyncDeps): Promise<void> {
  let workspaceId: string | undefined = '';
  while ((workspaceId = await deps.store.qrCodes.workspaceAfter(workspaceId)) !== undefined) {
    for (let after: string | undefined; ;) {
      const codes = await deps.store.qrCodes.linked(workspaceId, after, PAGE_SIZE);
      await replaceSnapshots(deps, workspaceId, codes, differs);
      if (codes.length < PAGE_SIZE) break;
      after = codes.at(-1)!._id;
    }
  }
}
