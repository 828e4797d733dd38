import type { MemberMessage } from '@tautan/proto';
import { z } from 'zod';
import { deleted, identifier, pathId, term, time } from './fields.js';
import { route, type Reply, type Route } from './route.js';
import { PROVIDER_MS, roles } from './workspaces.js';

const section = 'Members';
const MEMBER_ID = 'mem_01jd3x8q4v5w6y7z8a9b0c1d2e';
const path = '/api/v1/workspaces/current/members';

export const memberRecord = z
  .object({
    id: identifier('mem', 'Id of the membership.'),
    userId: identifier('usr', 'Id of the person; null while the invitation is open.').nullable(),
    email: z.string().meta({ description: 'Email address.', examples: ['mira@example.com'] }),
    name: z.string().meta({ description: 'Name; empty while it is not known.', examples: ['Mira'] }),
    role: roles.meta({ description: 'What the member may do.', examples: ['member'] }),
    status: z
      .enum(['active', 'invited'])
      .meta({ description: '`invited` until the invitation is accepted.', examples: ['active'] }),
    joinedAt: time('When the member joined; null while invited.').nullable(),
  })
  .meta({ id: 'Member', description: 'A person in a workspace, or one who is invited to it.' });
type MemberRecord = z.infer<typeof memberRecord>;

const example: MemberRecord = {
  id: MEMBER_ID,
  userId: 'usr_01jd3x8q4v5w6y7z8a9b0c1d2e',
  email: 'mira@example.com',
  name: 'Mira',
  role: 'member',
  status: 'active',
  joinedAt: '2029-04-01T08:00:00.000Z',
};
const invited: MemberRecord = { ...example, userId: null, name: '', status: 'invited', joinedAt: null };

const memberView = ({ id, userId, email, name, role, status, joinedAt }: MemberMessage): MemberRecord => ({
  id,
  userId: userId ?? null,
  email,
  name,
  role: role as MemberRecord['role'],
  status: status as MemberRecord['status'],
  joinedAt: joinedAt ?? null,
});
const shown = (member: MemberMessage): Reply => ({ data: memberView(member) });

const role = z
  .enum(['admin', 'member', 'viewer'])
  .meta({ description: 'What the member may do. Nobody becomes owner this way.', examples: ['member'] });
const params = z.object({ id: pathId('Id of the membership.', MEMBER_ID) });

export const memberRoutes: Route[] = [
  route({
    id: 'listMembers',
    method: 'GET',
    path,
    section,
    summary: 'List members',
    description:
      'Members and open invitations of the current workspace, as the identity provider has them; as last seen while it is away, and to API keys. All of them, not paged.',
    timeoutMs: PROVIDER_MS,
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
    description: 'The person joins by signing in with this address, once the identity provider has verified it.',
    timeoutMs: PROVIDER_MS,
    request: {
      body: z.strictObject({
        email: term(254).meta({
          format: 'email',
          description: 'Email address of the person.',
          examples: ['mira@example.com'],
        }),
        role,
      }),
      bodyExample: { email: 'mira@example.com', role: 'member' },
    },
    success: { status: 201, description: 'The member.', data: memberRecord, example: invited },
    errors: ['ALREADY_MEMBER', 'PLAN_LIMIT_EXCEEDED', 'UPSTREAM_UNAVAILABLE'],
    handle: async ({ body }, { clients, rpc, credential, operation }) =>
      shown(await clients.members.call('InviteMember', { credential, ...body, ...operation }, rpc())),
  }),
  route({
    id: 'changeMemberRole',
    method: 'PATCH',
    path: `${path}/{id}`,
    section,
    summary: "Change a member's role",
    description:
      "The owner's role stays as it is. Below admin the API keys that the member minted are revoked. Effective everywhere within a second.",
    timeoutMs: PROVIDER_MS,
    request: { params, body: z.strictObject({ role }), bodyExample: { role: 'member' } },
    success: { status: 200, description: 'The member.', data: memberRecord, example },
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    handle: async ({ params: { id }, body }, { clients, rpc, credential, credentials }) => {
      const member = await clients.members.call('ChangeMemberRole', { credential, id, role: body.role }, rpc());
      if (member.userId !== undefined) credentials.drop([member.userId]);
      return shown(member);
    },
  }),
  route({
    id: 'removeMember',
    method: 'DELETE',
    path: `${path}/{id}`,
    section,
    summary: 'Remove a member',
    description:
      'Ends the access of a member everywhere within a second, and revokes the API keys that they minted. Owners and admins remove others; everybody but the owner can leave by removing themselves.',
    timeoutMs: PROVIDER_MS,
    request: { params },
    success: {
      status: 200,
      description: 'They are gone.',
      data: deleted('mem'),
      example: { id: MEMBER_ID, deleted: true },
    },
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    handle: async ({ params: { id } }, { clients, rpc, credential }) => {
      await clients.members.call('RemoveMember', { credential, id }, rpc());
      return { data: { id, deleted: true } };
    },
  }),
];
