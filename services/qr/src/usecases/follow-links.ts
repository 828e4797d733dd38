import { fail, newUlid } from '@tautan/kit';
import type { Followed, QrCode, QrRoute, QrStatus } from '../domain/qr-code.js';
import type { Deps } from './deps.js';

type FollowDeps = Pick<Deps, 'store' | 'routes'>;

const STEP = 200;
const MAX_ATTEMPTS = 5;

/** The copy of what a QR code follows, for its record. */
export const copyOf = ({ url, status }: NonNullable<QrRoute['followed']>): Followed => ({
  url,
  status: status as QrStatus,
  rev: newUlid(),
});

/**
 * Brings the copies in line that the QR codes of a link have of it. Asks for the present state, so that events may come late,
 * repeatedly and in any order. Throws SERVICE_UNAVAILABLE, to be repeated, while others replace the same copies.
 */
export async function followLink(deps: FollowDeps, workspaceId: string, linkId: string): Promise<void> {
  for (let after: string | undefined; ;) {
    const codes = await followPage(deps, workspaceId, linkId, after);
    if (codes.length < STEP) return;
    after = codes.at(-1)!._id;
  }
}

async function followPage(deps: FollowDeps, workspaceId: string, linkId: string, after: string | undefined) {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const codes = await deps.store.qrCodes.ofLink(workspaceId, linkId, after, STEP);
    // Written even where it is the same: whoever asked earlier must not replace it by what is outdated.
    if (await copyTo(deps, workspaceId, codes, () => true)) return codes;
  }
  throw fail('SERVICE_UNAVAILABLE', 'The QR codes of the link are being changed.');
}

/** Replaces the copies of QR codes for which `isDue`. Returns false where one was replaced since the codes were read. */
async function copyTo(
  { store, routes }: FollowDeps,
  workspaceId: string,
  codes: QrCode[],
  isDue: (code: QrCode, now: Followed) => boolean,
): Promise<boolean> {
  const found = await routes.of({ workspaceId }, codes.map(({ _id }) => _id)); // prettier-ignore
  let all = true;
  for (const code of codes) {
    // Without a route it is being created or deleted: its creation makes the copy.
    const followed = found.get(code._id)?.followed;
    const copy = followed && copyOf(followed);
    if (copy && isDue(code, copy) && !(await store.qrCodes.follow(code, copy))) all = false;
  }
  return all;
}

const differs = ({ followed }: QrCode, { url, status }: Followed): boolean =>
  followed?.url !== url || followed.status !== status;

/**
 * Compares the copies of all QR codes with their links and replaces those that differ: those of earlier versions, which had
 * none, and those whose event was lost.
 */
export async function sweepFollowed(deps: FollowDeps): Promise<void> {
  let workspaceId: string | undefined = '';
  while ((workspaceId = await deps.store.qrCodes.workspaceAfter(workspaceId)) !== undefined) {
    for (let after: string | undefined; ;) {
      const codes = await deps.store.qrCodes.linked(workspaceId, after, STEP);
      await copyTo(deps, workspaceId, codes, differs);
      if (codes.length < STEP) break;
      after = codes.at(-1)!._id;
    }
  }
}
