import { z } from 'zod';
import { planNames } from '../plans.js';
import { choice, count, exampleId, flag, identifier, text, time } from './fields.js';

/** Roles of members, highest first. */
export const memberRoles = ['owner', 'admin', 'member', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];

export const workspaceRecord = z
  .object({
    id: identifier('ws', 'Id of the workspace.'),
    name: text('Name.', 'Acme'),
    role: choice(memberRoles, "Caller's role in the workspace; null for an API key.", 'admin').nullable(),
    plan: choice(planNames, 'Current plan.', 'PRO'),
    linkCount: count('Number of links.', 128),
    qrCodeCount: count('Number of QR codes.', 12),
    memberCount: count('Number of members who have joined.', 4),
    current: flag("Whether this is the caller's active workspace.", true),
    createdAt: time('Time of creation.'),
  })
  .meta({ id: 'Workspace', description: 'The container of links, QR codes, tags, members and API keys.' });
export type WorkspaceRecord = z.infer<typeof workspaceRecord>;

export const WORKSPACE_ID = exampleId('ws');

export const workspaceExample: WorkspaceRecord = {
  id: WORKSPACE_ID,
  name: 'Acme',
  role: 'admin',
  plan: 'PRO',
  linkCount: 128,
  qrCodeCount: 12,
  memberCount: 4,
  current: true,
  createdAt: '2029-04-01T08:00:00.000Z',
};
