import {
  deletedOf,
  deletedRecord,
  MEMBER_ID,
  memberExample as example,
  memberRecord,
  type MemberMessage,
  type MemberRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { pathId, nonEmptyText } from './fields.js';
import { route, type Reply, type Route } from './route.js';
import { wireFields } from './wire-fields.js';
import { IDENTITY_PROVIDER_TIMEOUT_MS } from './workspaces.js';

const section = 'Members';
const path = '/api/v1/workspaces/current/members';

const invited: MemberRecord = { ...example, userId: null, name: '', status: 'invited', joinedAt: null };

const memberView: (member: MemberMessage) => MemberRecord = wireFields(memberRecord);
const reply = (member: MemberMessage): Reply => ({ data: memberView(member) });

const role = z
  .enum(['admin', 'member', 'viewer'])
  .meta({ description: "Role of the member. The owner's role cannot be changed.", examples: ['member'] });
const params = z.object({ id: pathId('Id of the membership.', MEMBER_ID) });

export const memberRoutes: Route[] = [
  route({
    id: 'listMembers',
    method: 'GET',
    path,
    section,
    summary: 'List members',
    description:
      'Returns all members and open invitations of the current workspace from the identity provider, without pagination. API keys always receive the last known members and invitations; other callers only if the provider fails or takes longer than 750 ms.',
    timeoutMs: IDENTITY_PROVIDER_TIMEOUT_MS,
    request: {},
    success: {
      status: 200,
      description: 'All members.',
      data: z.array(memberRecord),
      example: [example],
      paged: 'whole',
    },
    errors: [],
    handle: async (_request, { clients, rpc, credential }) => {
      const { members } = await clients.members.call('ListMembers', { credential }, rpc());
      return { data: members.map(memberView) };
    },
  }),
  route({
    id: 'inviteMember',
    method: 'POST',
    path,
    section,
    summary: 'Invite a member',
    description: 'The user joins by signing in with this email address, once the identity provider has verified it.',
    timeoutMs: IDENTITY_PROVIDER_TIMEOUT_MS,
    request: {
      body: z.strictObject({
        email: nonEmptyText(254).meta({
          format: 'email',
          description: 'Email address of the user.',
          examples: ['mira@example.com'],
        }),
        role,
      }),
      bodyExample: { email: 'mira@example.com', role: 'member' },
    },
    success: { status: 201, description: 'The member.', data: memberRecord, example: invited },
    errors: ['ALREADY_MEMBER', 'PLAN_LIMIT_EXCEEDED', 'UPSTREAM_UNAVAILABLE'],
    handle: async ({ body }, { clients, rpc, credential, operation }) =>
      reply(await clients.members.call('InviteMember', { credential, ...body, ...operation }, rpc())),
  }),
  route({
    id: 'changeMemberRole',
    method: 'PATCH',
    path: `${path}/{id}`,
    section,
    summary: "Change a member's role",
    description:
      "The owner's role cannot be changed. If the new role is below admin, the API keys that the member created are revoked. Takes effect everywhere within one second.",
    timeoutMs: IDENTITY_PROVIDER_TIMEOUT_MS,
    request: { params, body: z.strictObject({ role }), bodyExample: { role: 'member' } },
    success: { status: 200, description: 'The member.', data: memberRecord, example },
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    handle: async ({ params: { id }, body }, { clients, rpc, credential, credentials, caller }) => {
      const member = await clients.members.call('ChangeMemberRole', { credential, id, role: body.role }, rpc());
      // Also evicts the API keys that were revoked.
      credentials.evictByIds([caller!.workspaceId]);
      return reply(member);
    },
  }),
  route({
    id: 'removeMember',
    method: 'DELETE',
    path: `${path}/{id}`,
    section,
    summary: 'Remove a member',
    description:
      'Revokes the access of a member and the API keys that the member created, everywhere within one second. Owners and admins can remove other members. Every member except the owner can leave by removing themselves.',
    timeoutMs: IDENTITY_PROVIDER_TIMEOUT_MS,
    request: { params },
    success: {
      status: 200,
      description: 'The member was removed.',
      data: deletedRecord('mem'),
      example: deletedOf(MEMBER_ID),
    },
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    handle: async ({ params: { id } }, { clients, rpc, credential, credentials, caller }) => {
      await clients.members.call('RemoveMember', { credential, id }, rpc());
      credentials.evictByIds([caller!.workspaceId]);
      return { data: deletedOf(id) };
    },
  }),
];
