import type { Schemas } from '@tautan/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi, useKeys, useRefresh } from '../../api/session-context.js';

export type ApiKey = Schemas['ApiKey'];

/** Query of all API keys of the workspace. */
export function useApiKeys() {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('api-keys'),
    queryFn: ({ signal }) => api.get('/auth/api-keys', { signal }),
  });
}

/** Mutation that creates a key. Only its response contains the secret. */
export function useCreateApiKey() {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (label: string) => api.post('/auth/api-keys', { body: { label } }),
    onSuccess: () => refresh('api-keys'),
  });
}

export function useRevokeApiKey({ id }: ApiKey) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.delete('/auth/api-keys/{id}', { path: { id } }),
    onSuccess: () => refresh('api-keys'),
  });
}
