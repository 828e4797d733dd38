import { Tautan } from '@tautan/sdk';

const KEY = 'tautan.workspace';

/** The id of this tab's workspace. Each tab has its own, so that switching in one tab does not affect the others. */
export const tabWorkspace = {
  get: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  set: (id: string): void => sessionStorage.setItem(KEY, id),
  clear: (): void => sessionStorage.removeItem(KEY),
};

/** Returns the URL to send to a user who was invited to a workspace. It opens that workspace after sign-in. */
export const invitationAddress = (workspaceId: string): string =>
  `${location.origin}/app?${new URLSearchParams({ workspace: workspaceId }).toString()}`;

/** Returns a client of the API that authenticates with the session cookie. */
export const clientFor = (workspaceId?: string): Tautan => new Tautan({ baseUrl: location.origin, workspaceId });
