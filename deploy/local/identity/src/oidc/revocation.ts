import type { Change, State } from '@tautan/append-log';

/** Models of oidc-provider whose entries let somebody in. Access tokens are JWTs, which end by themselves. */
const models = ['Session', 'Grant', 'AuthorizationCode', 'DeviceCode', 'RefreshToken'];

/** Returns the changes that end all sessions of a person at the provider, and revoke their codes and refresh tokens. */
export const revocationOf = (state: State, personId: string): Change[] =>
  models.flatMap((model) => {
    const entries = [...state.all<{ payload?: { accountId?: unknown } }>(`oidc.${model}`)];
    const theirs = entries.filter(([, { payload }]) => payload?.accountId === personId);
    return theirs.map(([key]): Change => [`oidc.${model}`, key]);
  });
