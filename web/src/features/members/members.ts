import type { BodyOf, Paths, Schemas } from '@tautan/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi, useKeys, useRefresh } from '../../api/session-context.js';

export type Member = Schemas['Member'];
export type Invitation = BodyOf<Paths['/workspaces/current/members']['post']>;
export const assignableRoles = ['admin', 'member', 'viewer'] as const;
export type AssignableRole = (typeof assignableRoles)[number];

/** Query of all members of the workspace, including invited ones. */
export function useMembers() {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('members'),
    queryFn: ({ signal }) => api.get('/workspaces/current/members', { signal }),
  });
}

export function useInviteMember() {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Invitation) => api.post('/workspaces/current/members', { body }),
    onSuccess: () => refresh('members'),
  });
}

export function useChangeRole({ id }: Member) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (role: AssignableRole) =>
      api.patch('/workspaces/current/members/{id}', { path: { id }, body: { role } }),
    onSuccess: () => refresh('members'),
  });
}

export function useRemoveMember({ id }: Member) {
  const api = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.delete('/workspaces/current/members/{id}', { path: { id } }),
    onSuccess: () => refresh('members'),
  });
}
