import type { Tautan } from '@tautan/sdk';
import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useApi, useKeys, useRefresh } from '../../api/session-context.js';
import type { Link } from './links.js';

export type BulkAction = 'archive' | 'activate' | 'delete' | 'addTag' | 'removeTag';

export interface BulkChange {
  action: BulkAction;
  /** The links as they were before this change or, if this change undoes an earlier one, before the earlier one. */
  links: readonly Link[];
  tag?: string;
}

export interface BulkFailure {
  link: Link;
  message: string;
}

export interface BulkResult {
  /** The change, with only the links to which it was applied. */
  changed: BulkChange;
  /** The links that were not changed, with the reasons. */
  failures: BulkFailure[];
}

/** Maximum number of links per request of the API. */
const MAX_IDS = 100;

/**
 * Returns a change that restores the links that a change altered, or undefined if it cannot be undone. Expired links
 * that were archived are left out, because the API does not activate a link that has passed its expiry date or used up
 * its clicks.
 */
export function undoOf({ action, links, tag }: BulkChange): BulkChange | undefined {
  if (action === 'archive') return { action: 'activate', links: links.filter(({ status }) => status === 'active') };
  if (action === 'activate') return { action: 'archive', links: links.filter(({ status }) => status === 'archived') };
  if (tag === undefined) return undefined;
  const hasTag = ({ tags }: Link): boolean => tags.some((name) => name.toLowerCase() === tag.toLowerCase());
  if (action === 'addTag') return { action: 'removeTag', tag, links: links.filter((link) => !hasTag(link)) };
  return action === 'removeTag' ? { action: 'addTag', tag, links: links.filter(hasTag) } : undefined;
}

async function applyChange(api: Tautan, change: BulkChange): Promise<BulkResult> {
  const { action, links, tag } = change;
  const failures: BulkFailure[] = [];
  for (let from = 0; from < links.length; from += MAX_IDS) {
    const slice = links.slice(from, from + MAX_IDS);
    const body = { action, ids: slice.map(({ id }) => id), ...(tag !== undefined && { tag }) };
    const { failed } = await api.post('/links/bulk', { body });
    for (const { id, message } of failed) failures.push({ link: slice.find((link) => link.id === id)!, message });
  }
  const failed = new Set(failures.map(({ link }) => link.id));
  return { changed: { ...change, links: links.filter(({ id }) => !failed.has(id)) }, failures };
}

/** Applies a change to any number of links. */
export function useBulk() {
  const api = useApi();
  const refresh = useRefresh();
  const showChange = useOptimisticStatus();
  return useMutation({
    mutationFn: (change: BulkChange) => applyChange(api, change),
    onMutate: showChange,
    onError: (_error, _change, revert) => revert?.(),
    // Some requests may have been applied before an error.
    onSettled: () => refresh('links', 'tags', 'qr-codes'),
  });
}

/**
 * Returns a function that shows the new status of links before the API responds. That function returns another one,
 * which restores the previous status.
 */
function useOptimisticStatus(): (change: BulkChange) => Promise<() => void> {
  const queries = useQueryClient();
  const queryKey = useKeys()('links', 'list');
  return async ({ action, links }) => {
    const status = optimisticStatus[action];
    if (!status) return () => undefined;
    await queries.cancelQueries({ queryKey });
    const before = queries.getQueriesData<LinkPages>({ queryKey });
    const ids = new Set(links.map(({ id }) => id));
    queries.setQueriesData<LinkPages>({ queryKey }, (list) => list && withStatus(list, ids, status));
    return () => before.forEach(([key, list]) => queries.setQueryData(key, list));
  };
}

/** The statuses that are shown before the API has responded. Deleted links stay visible until the API confirms. */
const optimisticStatus: Partial<Record<BulkAction, Link['status']>> = { archive: 'archived', activate: 'active' };

type LinkPages = InfiniteData<{ data: Link[] }>;

const withStatus = (list: LinkPages, ids: ReadonlySet<string>, status: Link['status']): LinkPages => ({
  ...list,
  pages: list.pages.map((page) => ({
    ...page,
    data: page.data.map((link) => (ids.has(link.id) ? { ...link, status } : link)),
  })),
});
