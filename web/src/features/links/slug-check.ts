import { TautanError } from '@tautan/sdk';
import { useQuery } from '@tanstack/react-query';
import { useApi, useKeys } from '../../api/session-context.js';
import { useDebounced } from '../../ui/use-debounced.js';

const PAUSE_MS = 300;
const SLUG = /^[\w-]{1,64}$/;

/**
 * Returns whether a slug is free or taken on a domain, or undefined while this is unknown. Creating a link with a free
 * slug can still fail: reserved words, and slugs of deleted links and of the workspace's QR codes, count as free, and
 * another user can take the slug.
 */
export function useSlugCheck(slug: string, domain: string): 'free' | 'taken' | undefined {
  const api = useApi();
  const settled = useDebounced(slug, PAUSE_MS);
  const { data } = useQuery({
    queryKey: useKeys()('links', 'slug', settled, domain),
    queryFn: async ({ signal }) => {
      try {
        await api.get('/links/{id}', { path: { id: settled }, query: domain ? { domain } : {}, signal });
        return 'taken' as const;
      } catch (error) {
        if (error instanceof TautanError && error.status === 404) return 'free' as const;
        // A link or QR code of another workspace has the slug.
        if (error instanceof TautanError && error.status === 403) return 'taken' as const;
        throw error;
      }
    },
    enabled: SLUG.test(settled),
  });
  return settled === slug ? data : undefined;
}

/** Returns the names of the workspace's verified domains. */
export function useVerifiedDomains(): string[] {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: useKeys()('domains'),
    queryFn: ({ signal }) => api.get('/domains', { signal }),
  });
  return data.filter(({ status }) => status === 'verified').map(({ domain }) => domain);
}
