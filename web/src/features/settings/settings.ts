import type { Schemas } from '@tautan/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { tabWorkspace } from '../../api/client.js';
import { useApi, useSession } from '../../api/session-context.js';

export type UserSession = Schemas['UserSession'];

export function useRenameWorkspace() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.patch('/workspaces/current', { body: { name } }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['session'] }),
        queries.invalidateQueries({ queryKey: ['workspaces'] }),
      ]),
  });
}

/**
 * Removes the signed-in user from the workspace, and reloads the application in another workspace of the user, if any.
 */
export function useLeaveWorkspace() {
  const api = useApi();
  const { user } = useSession();
  return useMutation({
    mutationFn: async () => {
      const members = await api.get('/workspaces/current/members');
      const self = members.find(({ userId }) => userId === user?.id);
      if (self) await api.delete('/workspaces/current/members/{id}', { path: { id: self.id } });
    },
    onSuccess: () => {
      tabWorkspace.clear();
      location.assign('/app');
    },
  });
}

/** Query of the user's sessions in browsers, the current one included. */
export function useSessions() {
  const api = useApi();
  return useQuery({ queryKey: ['sessions'], queryFn: ({ signal }) => api.get('/auth/sessions', { signal }) });
}

/** Ends the session with the given id, or all except the current one if no id is given. */
export function useEndSessions() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id?: string): Promise<unknown> =>
      id === undefined ? api.delete('/auth/sessions') : api.delete('/auth/sessions/{id}', { path: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
}
