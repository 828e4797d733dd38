import { newId } from '@tautan/kit';
import { mergeProfile, type User } from '../domain/user.js';
import type { Claims, IdentityProvider } from '../../provider/identity-provider.js';
import type { UserStore } from '../store/users.js';

interface Deps {
  users: UserStore;
  now: () => Date;
}

const emptyProfile = { email: '', emailVerified: false, name: '' };

/**
 * Returns the user that a token identifies. Creates the user at their first sign-in, and later updates the email and
 * name from the token's claims. If the claims lack the email at creation, reads the profile from the provider.
 */
export async function findOrCreateUser(
  { users, now }: Deps,
  provider: IdentityProvider,
  { claims, accessToken }: { claims: Claims; accessToken: string },
): Promise<User> {
  const { issuer, subject } = claims;
  const found = await users.findBySubject(issuer, subject);
  if (found) return withUpdatedProfile(users, found, claims);
  const complete = claims.email === null ? withProfile(claims, await provider.profile(accessToken, subject)) : claims;
  const user: User = {
    _id: newId('usr'),
    issuer,
    subject,
    ...mergeProfile(emptyProfile, complete),
    lastWorkspaceId: null,
    syncedAt: null,
    createdAt: now(),
  };
  if (await users.insert(user)) return user;
  // Created concurrently.
  return (
    (await users.findBySubject(issuer, subject)) ?? findOrCreateUser({ users, now }, provider, { claims, accessToken })
  );
}

async function withUpdatedProfile(users: UserStore, user: User, claims: Claims): Promise<User> {
  const current = mergeProfile(user, claims);
  const isUnchanged =
    current.email === user.email && current.emailVerified === user.emailVerified && current.name === user.name;
  if (isUnchanged) return user;
  await users.updateProfile(user._id, current);
  return { ...user, ...current };
}

const withProfile = (claims: Claims, profile: { email: string; emailVerified: boolean; name: string }): Claims => ({
  ...claims,
  email: profile.email || null,
  emailVerified: profile.email ? profile.emailVerified : null,
  name: claims.name ?? (profile.name || null),
});
