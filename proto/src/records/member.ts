import { z } from 'zod';
import { choice, exampleId, identifier, text, time } from './fields.js';
import { memberRoles } from './workspace.js';

export const memberStatuses = ['active', 'invited'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export const memberRecord = z
  .object({
    id: identifier('mem', 'Id of the membership.'),
    userId: identifier('usr', 'Id of the user; null until the user has signed in.').nullable(),
    email: text('Email address.', 'mira@example.com'),
    name: text('Name; empty if it is not known yet.', 'Mira'),
    role: choice(memberRoles, 'Role of the member.', 'member'),
    status: choice(memberStatuses, '`invited` until the invitation is accepted.'),
    joinedAt: time('Time at which the member joined; null until the invitation is accepted.').nullable(),
  })
  .meta({ id: 'Member', description: 'A member of a workspace, or an open invitation.' });
export type MemberRecord = z.infer<typeof memberRecord>;

export const MEMBER_ID = exampleId('mem');

export const memberExample: MemberRecord = {
  id: MEMBER_ID,
  userId: exampleId('usr'),
  email: 'mira@example.com',
  name: 'Mira',
  role: 'member',
  status: 'active',
  joinedAt: '2029-04-01T08:00:00.000Z',
};
