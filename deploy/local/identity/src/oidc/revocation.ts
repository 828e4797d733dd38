import type { Change, State } from '@tautan/append-log';

/**
 * Models of oidc-provider that grant access. Access tokens are not stored: they are JWTs and valid until they expire.
 */
const models = ['Session', 'Grant', 'AuthorizationCode', 'DeviceCode', 'RefreshToken'];

/** Returns the changes that end all sessions of a user and revoke their codes and refresh tokens. */
export const revocationOf = (state: State, personId: string): Change[] =>
  models.flatMap((model) => {
    const entries = [...state.all<{ payload?: { accountId?: unknown } }>(`oidc.${model}`)];
    const theirs = entries.filter(([, { payload }]) => payload?.accountId === personId);
    return theirs.map(([key]): Change => [`oidc.${model}`, key]);
  });
