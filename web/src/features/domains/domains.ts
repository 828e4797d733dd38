import type { BodyOf, Paths, Schemas } from '@tautan/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi, useKeys, useRefresh } from '../../api/session-context.js';

export type Domain = Schemas['Domain'];
export type DomainPages = BodyOf<Paths['/domains/{id}']['patch']>;
export type DnsRecord = Domain['dnsRecords'][number];

/** Query of all custom domains of the workspace. */
export function useDomains() {
  const api = useApi();
  return useQuery({ queryKey: useKeys()('domains'), queryFn: ({ signal }) => api.get('/domains', { signal }) });
}

export function useAddDomain() {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (domain: string) => api.post('/domains', { body: { domain } }),
    onSuccess: () => refresh('domains'),
  });
}

/** Looks up the DNS records of a domain now. */
export function useVerifyDomain({ id }: Domain) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.post('/domains/{id}/verify', { path: { id } }),
    onSuccess: () => refresh('domains'),
  });
}

/** Updates the brand of a domain's pages, and the URLs to redirect to instead of showing a page. */
export function useUpdateDomain({ id }: Domain) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: DomainPages) => api.patch('/domains/{id}', { path: { id }, body }),
    onSuccess: () => refresh('domains'),
  });
}

export function useDeleteDomain({ id }: Domain) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.delete('/domains/{id}', { path: { id } }),
    onSuccess: () => refresh('domains'),
  });
}
