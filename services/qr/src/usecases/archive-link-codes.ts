import { fail, faultCode, type Principal } from '@tautan/kit';
import { changeCode, type ChangeDeps, type ChangeContext } from '../steps/change-code.js';

const PAGE_SIZE = 100;

/**
 * Archives the QR codes of a deleted link. Throws SERVICE_UNAVAILABLE while one of them is being created, so that the
 * `link.deleted` event is retried: the link service may have accepted that code just before the deletion.
 */
export async function archiveLinkCodes(
  deps: ChangeDeps,
  by: Principal | null,
  { workspaceId, linkId }: { workspaceId: string; linkId: string },
): Promise<void> {
  let begun = false;
  for (let after: string | undefined; ;) {
    const codes = await deps.store.qrCodes.unarchivedOf(workspaceId, linkId, { after, limit: PAGE_SIZE });
    for (const { _id: id, state } of codes) {
      if (state === 'begun') begun = true;
      else await archive(deps, { by, workspaceId, id });
    }
    if (codes.length < PAGE_SIZE) break;
    after = codes.at(-1)!._id;
  }
  if (begun) throw fail('SERVICE_UNAVAILABLE', 'A QR code of the link is being created.');
}

async function archive(deps: ChangeDeps, context: ChangeContext): Promise<void> {
  try {
    await changeCode(deps, context, ({ status }) =>
      status === 'archived' ? undefined : { set: { status: 'archived' } },
    );
  } catch (error) {
    // The code was deleted in the meantime.
    if (faultCode(error) !== 'NOT_FOUND') throw error;
  }
}
