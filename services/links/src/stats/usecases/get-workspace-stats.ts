import type { Principal } from '@tautan/kit';
import type { KeyCounts } from '../domain/key-counts.js';
import { readRange, type RangeInput } from '../domain/range.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { MAX_KEYS } from '../steps/subject-stats.js';
import { StatsFigures } from '../steps/stats-figures.js';

type Deps = Pick<ApiDeps, 'store' | 'stats' | 'signal' | 'now'>;

/**
 * Returns the statistics of a workspace in a time range. Throws VALIDATION_ERROR naming the invalid field of the range.
 */
export async function getWorkspaceStats(deps: Deps, { workspaceId }: Principal, input: RangeInput) {
  const range = readRange(input, deps.now());
  const [figures, links, qrCodes] = await Promise.all([
    StatsFigures.read(deps.stats, 'workspace', workspaceId, range, deps.signal),
    deps.store.links.count(workspaceId),
    deps.store.routes.countQrCodes(workspaceId),
  ]);
  const { total } = figures;
  const { clicks, bots, by } = total;
  const top = (dimension: 'countries' | 'devices' | 'referrers') => by.get(dimension)!.top(MAX_KEYS);
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    totals: { links, qrCodes, clicks, scans: by.get('sources')!.get('qr'), uniques: figures.uniques, bots },
    ...figures.points(input.packedSeries ?? false),
    topLinks: await topLinks(deps, workspaceId, by.get('links')!),
    countries: top('countries'),
    devices: top('devices'),
    referrers: top('referrers'),
  };
}

/** Returns the existing links with the most clicks. */
async function topLinks({ store, signal }: Deps, workspaceId: string, counts: KeyCounts) {
  const ranking = counts.top(counts.size, false);
  const found: { id: string; slug: string; clicks: number }[] = [];
  // Usually, one query finds enough existing links.
  for (let at = 0, size = 2 * MAX_KEYS; at < ranking.length && found.length < MAX_KEYS; at += size, size = 1_000) {
    signal.throwIfAborted();
    const candidates = ranking.slice(at, at + size);
    const links = await store.links.byIds(
      workspaceId,
      candidates.map(({ key }) => key),
    );
    const slugs = new Map(links.map(({ _id, slug }) => [_id, slug]));
    for (const { key: id, clicks } of candidates) if (slugs.has(id)) found.push({ id, slug: slugs.get(id)!, clicks });
  }
  return found.slice(0, MAX_KEYS);
}
