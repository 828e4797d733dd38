import type { Schemas } from '@tautan/sdk';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useApi, useKeys } from '../../api/session-context.js';
import { endOfDay, isDate, startOfDay } from '../../i18n/local-time.js';
import type { AuditSearch } from './routes.js';

export type AuditEntry = Schemas['AuditEntry'];

/**
 * Converts filters to query parameters. A date becomes the start or end of the day in the browser's time zone. Other
 * values of `from` and `to` are left to the API to validate.
 */
const auditQuery = ({ from, to, ...filters }: AuditSearch): AuditSearch => ({
  ...filters,
  ...(from !== undefined && { from: isDate(from) ? startOfDay(from) : from }),
  ...(to !== undefined && { to: isDate(to) ? endOfDay(to) : to }),
});

/** Query of the entries that match the filters, newest first, page by page. */
export function useAuditLog(filters: AuditSearch) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: useKeys()('audit-log', filters),
    queryFn: ({ pageParam: cursor, signal }) =>
      api.page('/audit-log', { query: { ...auditQuery(filters), ...(cursor && { cursor }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
  });
}

const MAX_LATEST = 5;

/** Query of the latest entries about one resource, newest first. */
export function useTargetEntries(target: string) {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('audit-log', 'latest', target),
    queryFn: async ({ signal }) =>
      (await api.page('/audit-log', { query: { target, limit: MAX_LATEST }, signal })).data,
  });
}
