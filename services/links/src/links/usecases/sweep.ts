import type { ApiDeps } from '../../usecase-deps.js';
import { dropTag } from '../../tags/steps/drop-tag.js';
import { expireLinks } from './expire-links.js';

const LINKS_AT_ONCE = 100;
const TAGS_AT_ONCE = 10;

/** Brings the stored state in line with the clock and with what was begun: expires links, frees links and QR codes of deleted tags. */
export async function sweep(deps: ApiDeps): Promise<void> {
  await sweepExpired(deps);
  for (const removal of await deps.store.tagRemovals.pending(TAGS_AT_ONCE)) await dropTag(deps, removal);
}

async function sweepExpired(deps: ApiDeps): Promise<void> {
  for (;;) {
    const keys = (await deps.store.routes.due('link', deps.now(), LINKS_AT_ONCE)).map(({ _id }) => _id);
    if (keys.length === 0) return;
    // One link that cannot expire must not keep the others from it.
    const expired = await expireLinks(deps, keys).catch(() => oneByOne(deps, keys));
    if (expired === 0) return;
  }
}

async function oneByOne(deps: ApiDeps, keys: string[]): Promise<number> {
  let expired = 0;
  for (const key of keys) {
    expired += await expireLinks(deps, [key]).catch((error: unknown) => {
      deps.log.warn({ err: error, key }, 'a link did not expire');
      return 0;
    });
  }
  return expired;
}
