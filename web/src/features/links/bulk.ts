import type { Tautan } from '@tautan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useApi, useRefresh } from '../../api/session-context.js';
import type { Link } from './links.js';

export type BulkAction = 'archive' | 'activate' | 'delete' | 'addTag' | 'removeTag';

export interface BulkChange {
  action: BulkAction;
  links: readonly Link[];
  tag?: string;
}

export interface BulkFailure {
  link: Link;
  message: string;
}

/** The links of a bulk request. The API accepts no more at once. */
const MAX_IDS = 100;

/** Returns the change that takes `change` back for the links that it changed; undefined if none does. */
export function undoOf({ action, links, tag }: BulkChange): BulkChange | undefined {
  if (action === 'archive') return { action: 'activate', links: links.filter(({ status }) => status === 'active') };
  if (action === 'activate') return { action: 'archive', links: links.filter(({ status }) => status === 'archived') };
  if (tag === undefined) return undefined;
  const carries = ({ tags }: Link): boolean => tags.some((name) => name.toLowerCase() === tag.toLowerCase());
  if (action === 'addTag') return { action: 'removeTag', tag, links: links.filter((link) => !carries(link)) };
  return action === 'removeTag' ? { action: 'addTag', tag, links: links.filter(carries) } : undefined;
}

async function applyChange(api: Tautan, { action, links, tag }: BulkChange): Promise<BulkFailure[]> {
  const failures: BulkFailure[] = [];
  for (let from = 0; from < links.length; from += MAX_IDS) {
    const slice = links.slice(from, from + MAX_IDS);
    const body = { action, ids: slice.map(({ id }) => id), ...(tag !== undefined && { tag }) };
    const { failed } = await api.post('/links/bulk', { body });
    for (const { id, message } of failed) failures.push({ link: slice.find((link) => link.id === id)!, message });
  }
  return failures;
}

/** Changes any number of links. Resolves with those that were left alone, and why. */
export function useBulk() {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (change: BulkChange) => applyChange(api, change),
    // An error can come after some of the requests were applied.
    onSettled: () => refresh('links', 'tags'),
  });
}
