import type { BodyOf, Paths, Schemas } from '@tautan/sdk';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useApi, useKeys, useRefresh } from '../../api/session-context.js';
import { linkQuery, type LinkSearch } from './link-search.js';

export type Link = Schemas['Link'];
export type NewLink = BodyOf<Paths['/links']['post']>;
export type LinkChange = BodyOf<Paths['/links/{id}']['patch']>;

const PAGE_SIZE = 100;
const LIVE_MS = 5_000;

/** Query of the workspace's links that match a search, page by page. */
export function useLinks(search: LinkSearch) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: useKeys()('links', 'list', search),
    queryFn: ({ pageParam: cursor, signal }) =>
      api.page('/links', { query: { ...linkQuery(search), limit: PAGE_SIZE, ...(cursor && { cursor }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
  });
}

/** Query of one link, refetched every few seconds while its page is visible. */
export function useLink(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('links', 'one', id),
    queryFn: ({ signal }) => api.get('/links/{id}', { path: { id }, signal }),
    refetchInterval: LIVE_MS,
  });
}

export function useCreateLink() {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: NewLink) => api.post('/links', { body }),
    onSuccess: () => refresh('links', 'tags'),
  });
}

export function useUpdateLink({ id }: Link) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: LinkChange) => api.patch('/links/{id}', { path: { id }, body }),
    onSuccess: () => refresh('links', 'tags', 'qr-codes'),
  });
}

/** Query of the names of the workspace's tags, for suggestions and filters. */
export function useTagNames() {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('tags'),
    queryFn: ({ signal }) => api.get('/tags', { signal }),
    select: (tags) => tags.map(({ name }) => name),
  });
}
