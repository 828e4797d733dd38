import { fail, isId } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { LogoStore } from '../store/logos.js';
import type { Deps } from '../usecase-deps.js';

/**
 * Throws VALIDATION_ERROR unless `id` is the id of a logo of the workspace. The error names `logoRunRef`, which is the
 * API's name for the id of a logo.
 */
export async function checkLogo(logos: LogoStore, workspaceId: string, id: string): Promise<void> {
  if (isId(id, 'lgo') && (await logos.exists(workspaceId, id))) return;
  throw unknownLogo();
}

/**
 * Prevents logos from being deleted before the transaction that refers to them is committed. Throws VALIDATION_ERROR
 * naming `logoRunRef` if one has been deleted.
 */
export async function claimLogos(
  { logos, now }: Pick<Deps, 'logos' | 'now'>,
  workspaceId: string,
  logoIds: (string | null)[],
  session: Transaction['session'],
): Promise<void> {
  const ids = [...new Set(logoIds.filter((id) => id !== null))];
  if (ids.length === 0) return;
  if ((await logos.touch(workspaceId, ids, now(), session)) < ids.length) throw unknownLogo();
}

const unknownLogo = (): Error => fail('VALIDATION_ERROR', 'logoRunRef is not a logo of this workspace.', 'logoRunRef');
