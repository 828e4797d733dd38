import type { ApiDeps } from '../../usecase-deps.js';
import { dropTag } from '../../tags/steps/drop-tag.js';
import { expireLinks } from '../steps/expire-links.js';

const LINK_BATCH = 100;
const TAG_BATCH = 10;

/** Expires links that have reached a limit, and removes deleted tags from links and QR codes. */
export async function sweepLinks(deps: ApiDeps): Promise<void> {
  await sweepExpired(deps);
  for (const removal of await deps.store.tagRemovals.pending(TAG_BATCH)) {
    await dropTag(deps, removal).catch((error: unknown) => {
      deps.log.warn({ err: error, tagId: removal._id }, 'tag could not be removed from links and QR codes');
    });
  }
}

async function sweepExpired(deps: ApiDeps): Promise<void> {
  for (;;) {
    const keys = (await deps.store.routes.due('link', deps.now(), LINK_BATCH)).map(({ _id }) => _id);
    if (keys.length === 0) return;
    // A link whose expiry fails must not block the others.
    const expired = await expireLinks(deps, keys).catch(() => expireIndividually(deps, keys));
    if (expired === 0) return;
  }
}

async function expireIndividually(deps: ApiDeps, keys: string[]): Promise<number> {
  let expired = 0;
  for (const key of keys) {
    expired += await expireLinks(deps, [key]).catch((error: unknown) => {
      deps.log.warn({ err: error, key }, 'link could not be expired');
      return 0;
    });
  }
  return expired;
}
