import type { Tautan } from '@tautan/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { clientFor, tabWorkspace } from './client.js';
import { isForbidden } from './errors.js';
import { includesRole, type Role, type Session } from './session.js';

/**
 * Loads the session in the workspace of this tab. If the user is not a member of that workspace, lists the user's
 * workspaces, because listing them can turn an open invitation into a membership. If the list contains the workspace of
 * this tab, tries again. If not, or if this tab has no workspace yet, loads the session in the user's last active
 * workspace, which becomes that of this tab.
 */
async function loadSession(): Promise<Session> {
  const chosen = tabWorkspace.get();
  const load = (workspaceId?: string): Promise<Session> => clientFor(workspaceId).get('/auth/session');
  const loadLastActive = async (): Promise<Session> => {
    const session = await load();
    if (session.workspace) tabWorkspace.set(session.workspace.id);
    return session;
  };
  if (chosen === undefined) return loadLastActive();
  try {
    return await load(chosen);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  const workspaces = await clientFor().get('/workspaces');
  if (workspaces.some(({ id }) => id === chosen)) return load(chosen);
  tabWorkspace.clear();
  return loadLastActive();
}

/** Query of the signed-in user's session. */
export const useSessionQuery = () => useQuery({ queryKey: ['session'], queryFn: loadSession, staleTime: 60_000 });

interface SignedIn {
  session: Session;
  api: Tautan;
}

const SignedInContext = createContext<SignedIn | undefined>(undefined);

/** Provides the session, and a client of the API for its workspace, to the pages. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  const workspaceId = session.workspace?.id;
  const api = useMemo(() => clientFor(workspaceId), [workspaceId]);
  const value = useMemo(() => ({ session, api }), [session, api]);
  return <SignedInContext value={value}>{children}</SignedInContext>;
}

function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (!signedIn) throw new Error('The session can only be used inside SessionProvider.');
  return signedIn;
}

export const useSession = (): Session => useSignedIn().session;

/** Returns the client of the API for the current workspace. */
export const useApi = (): Tautan => useSignedIn().api;

/** Returns whether the user's role in the current workspace includes the rights of `role`. */
export const useCan = (role: Role): boolean => includesRole(useSession().workspace?.role, role);

/** Returns a function that creates the key of a query in the current workspace. */
export function useKeys(): (...parts: unknown[]) => unknown[] {
  const id = useSession().workspace?.id;
  return (...parts) => ['workspace', id, ...parts];
}

/**
 * Returns a function that refetches the queries of resources of the current workspace. The function does not wait for
 * them, because a change that succeeded is complete even if refetching fails.
 */
export function useRefresh(): (...resources: string[]) => void {
  const keys = useKeys();
  const queries = useQueryClient();
  return (...resources) => {
    for (const resource of resources) void queries.invalidateQueries({ queryKey: keys(resource) });
  };
}
