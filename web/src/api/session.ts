import type { Schemas } from '@tautan/sdk';

export type Session = Schemas['Session'];
export type Workspace = NonNullable<Session['workspace']>;
export type Role = NonNullable<Workspace['role']>;

const ranks: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/** Returns whether a role includes the rights of another. */
export const includesRole = (role: Role | null | undefined, needed: Role): boolean =>
  role !== null && role !== undefined && ranks[role] >= ranks[needed];
