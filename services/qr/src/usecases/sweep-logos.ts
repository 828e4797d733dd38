import type { Deps } from '../usecase-deps.js';

interface SweepDeps extends Pick<Deps, 'store' | 'logos' | 'transact' | 'now' | 'log'> {
  /** An unused logo is deleted this many days after its upload or last use. */
  unusedLogoDays: number;
  /** Adds to the metric of deleted logos. */
  countDeleted: (count: number) => void;
}

const DAY_MS = 86_400_000;
const BATCH = 100;
const MAX_BATCHES = 10;

/** Deletes logos that no QR code has used for `unusedLogoDays`, up to 1,000 per sweep. */
export async function sweepLogos(deps: SweepDeps): Promise<void> {
  const { logos, now, log, unusedLogoDays } = deps;
  const before = new Date(now().getTime() - unusedLogoDays * DAY_MS);
  await logos.touchUndated(now());
  let deleted = 0;
  for (let i = 0; i < MAX_BATCHES; i += 1) {
    const candidates = await logos.usedBefore(before, BATCH);
    for (const logo of candidates) if (await deleteUnused(deps, logo, before)) deleted += 1;
    if (candidates.length < BATCH) break;
  }
  deps.countDeleted(deleted);
  if (deleted > 0) log.info({ deleted }, 'deleted unused logos');
}

/**
 * Deletes a logo unless a QR code uses it. A concurrent transaction that gives the logo to a QR code updates `usedAt`,
 * so that the two conflict and one of them is retried.
 */
const deleteUnused = (
  { store, logos, transact, now }: SweepDeps,
  { _id: id, workspaceId }: { _id: string; workspaceId: string },
  before: Date,
): Promise<boolean> =>
  transact(null, async ({ session }) => {
    if (await store.qrCodes.usesLogo(workspaceId, id, session)) {
      await logos.touch(workspaceId, [id], now(), session);
      return false;
    }
    return logos.deleteUsedBefore(workspaceId, id, before, session);
  });
