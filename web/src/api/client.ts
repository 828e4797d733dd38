import { Tautan } from '@tautan/sdk';

const KEY = 'tautan.workspace';

/** The workspace that this tab works in, so that switching in one tab does not change another. */
export const tabWorkspace = {
  get: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  set: (id: string): void => sessionStorage.setItem(KEY, id),
  clear: (): void => sessionStorage.removeItem(KEY),
};

/** Returns the address at which a user who was invited to a workspace signs in and starts in it. */
export const invitationAddress = (workspaceId: string): string =>
  `${location.origin}/app?${new URLSearchParams({ workspace: workspaceId }).toString()}`;

/** Returns a client of the API that authenticates by the session cookie. */
export const clientFor = (workspaceId?: string): Tautan => new Tautan({ baseUrl: location.origin, workspaceId });
