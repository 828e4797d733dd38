import { newId } from '@tautan/kit';
import { described, type User } from '../domain/user.js';
import type { Claims, IdentityProvider } from '../provider/identity-provider.js';
import type { UserStore } from '../store/users.js';

interface Deps {
  users: UserStore;
  now: () => Date;
}

const unknown = { email: '', emailVerified: false, name: '' };

/**
 * The person whom a token names, made known here at first sight, with email and name as the provider says them now. Where
 * the token says nothing of them, the provider is asked once: at first sight.
 */
export async function knowUser(
  { users, now }: Deps,
  provider: IdentityProvider,
  { claims, accessToken }: { claims: Claims; accessToken: string },
): Promise<User> {
  const { issuer, subject } = claims;
  const found = await users.findBySubject(issuer, subject);
  if (found) return refreshed(users, found, claims);
  const said = claims.email === null ? withProfile(claims, await provider.profile(accessToken, subject)) : claims;
  const user: User = {
    _id: newId('usr'),
    issuer,
    subject,
    ...described(unknown, said),
    lastWorkspaceId: null,
    syncedAt: null,
    createdAt: now(),
  };
  if (await users.insert(user)) return user;
  // Somebody else just made them known.
  return (await users.findBySubject(issuer, subject)) ?? knowUser({ users, now }, provider, { claims, accessToken });
}

async function refreshed(users: UserStore, user: User, claims: Claims): Promise<User> {
  const told = described(user, claims);
  const same = told.email === user.email && told.emailVerified === user.emailVerified && told.name === user.name;
  if (same) return user;
  await users.describe(user._id, told);
  return { ...user, ...told };
}

const withProfile = (claims: Claims, profile: { email: string; emailVerified: boolean; name: string }): Claims => ({
  ...claims,
  email: profile.email || null,
  emailVerified: profile.email ? profile.emailVerified : null,
  name: claims.name ?? (profile.name || null),
});
