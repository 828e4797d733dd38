import type { Schemas } from '@tautan/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi, useKeys, useRefresh } from '../../api/session-context.js';

export type Tag = Schemas['Tag'];

/** Query of all tags of the workspace, sorted by name. */
export function useTags() {
  const api = useApi();
  return useQuery({ queryKey: useKeys()('tags'), queryFn: ({ signal }) => api.get('/tags', { signal }) });
}

export function useCreateTag() {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (name: string) => api.post('/tags', { body: { name } }),
    onSuccess: () => refresh('tags'),
  });
}

export function useRenameTag({ id }: Tag) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (name: string) => api.patch('/tags/{id}', { path: { id }, body: { name } }),
    onSuccess: () => refresh('tags', 'links', 'qr-codes'),
  });
}

export function useDeleteTag({ id }: Tag) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.delete('/tags/{id}', { path: { id } }),
    onSuccess: () => refresh('tags', 'links', 'qr-codes'),
  });
}
