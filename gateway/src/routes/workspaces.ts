import { planNames, type WorkspaceMessage } from '@tautan/proto';
import { z } from 'zod';
import type { Role } from '../access.js';
import { count, identifier, term, time } from './fields.js';
import { route, type Call, type Reply, type Route } from './route.js';

const section = 'Workspaces';
const WORKSPACE_ID = 'ws_01jd3x8q4v5w6y7z8a9b0c1d2e';
/** The identity provider is asked on the way, milliseconds. */
export const PROVIDER_MS = 10_000;

export const roles = z.enum(['owner', 'admin', 'member', 'viewer'] satisfies Role[]);
export const plans = z.enum(planNames);

export const workspaceRecord = z
  .object({
    id: identifier('ws', 'Id of the workspace.'),
    name: z.string().meta({ description: 'Name.', examples: ['Acme'] }),
    role: roles.nullable().meta({ description: "The caller's role there; null for an API key.", examples: ['admin'] }),
    plan: plans.meta({ description: 'Plan that it is on.', examples: ['PRO'] }),
    linkCount: count('Links in it.', 128),
    qrCodeCount: count('QR codes in it.', 12),
    memberCount: count('Members who have joined.', 4),
    current: z.boolean().meta({ description: 'Whether it is the one that the caller works in.', examples: [true] }),
    createdAt: time('When it was made.'),
  })
  .meta({ id: 'Workspace', description: 'What links, QR codes, tags, members and API keys belong to.' });
type WorkspaceRecord = z.infer<typeof workspaceRecord>;

const example: WorkspaceRecord = {
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

const workspaceView = ({ role, plan, ...workspace }: WorkspaceMessage): WorkspaceRecord => ({
  id: workspace.id,
  name: workspace.name,
  role: (role || null) as WorkspaceRecord['role'],
  plan: plan as WorkspaceRecord['plan'],
  linkCount: workspace.linkCount,
  qrCodeCount: workspace.qrCodeCount,
  memberCount: workspace.memberCount,
  current: workspace.current,
  createdAt: workspace.createdAt,
});

/** Answers a workspace that was made, chosen or named anew; what is remembered of the person is out of date then. */
function changed({ caller, credentials }: Call, workspace: WorkspaceMessage): Reply {
  credentials.drop([caller!.id]);
  return { data: workspaceView(workspace) };
}

const body = z.strictObject({
  name: term(100).meta({ description: 'Name, 1–100 characters after trimming.', examples: ['Acme'] }),
});

export const workspaceRoutes: Route[] = [
  route({
    id: 'listWorkspaces',
    method: 'GET',
    path: '/api/v1/workspaces',
    section,
    summary: 'List workspaces',
    description:
      "The person's workspaces, as the identity provider has them; as last seen while it is away. An API key sees its own. All of them, not paged.",
    timeoutMs: PROVIDER_MS,
    request: {},
    success: {
      status: 200,
      description: 'All workspaces.',
      data: z.array(workspaceRecord),
      example: [example],
      paged: 'whole',
    },
    errors: [],
    handle: async (_request, { clients, rpc, credential }) => {
      const { workspaces } = await clients.workspaces.call('ListWorkspaces', { credential }, rpc());
      return { data: workspaces.map(workspaceView) };
    },
  }),
  route({
    id: 'createWorkspace',
    method: 'POST',
    path: '/api/v1/workspaces',
    section,
    summary: 'Create a workspace',
    description: 'Makes it at the identity provider too; the person becomes its owner.',
    timeoutMs: PROVIDER_MS,
    request: { body, bodyExample: { name: 'Acme' } },
    success: {
      status: 201,
      description: 'The workspace.',
      data: workspaceRecord,
      example: { ...example, role: 'owner' },
    },
    errors: ['UPSTREAM_UNAVAILABLE'],
    handle: async ({ body: { name } }, call) => {
      const request = { credential: call.credential, name, ...call.operation };
      return changed(call, await call.clients.workspaces.call('CreateOwnWorkspace', request, call.rpc()));
    },
  }),
  route({
    id: 'switchWorkspace',
    method: 'POST',
    path: '/api/v1/workspaces/switch',
    section,
    summary: 'Switch to a workspace',
    description: 'Makes it the one that the person works in where `X-Workspace-Id` names no other.',
    timeoutMs: PROVIDER_MS,
    request: {
      body: z.strictObject({
        workspaceId: term(64).meta({ description: 'Id of a workspace of yours.', examples: [WORKSPACE_ID] }),
      }),
      bodyExample: { workspaceId: WORKSPACE_ID },
    },
    success: { status: 200, description: 'The workspace.', data: workspaceRecord, example },
    errors: ['NOT_FOUND'],
    handle: async ({ body: { workspaceId } }, call) =>
      changed(
        call,
        await call.clients.workspaces.call('SwitchWorkspace', { credential: call.credential, workspaceId }, call.rpc()),
      ),
  }),
  route({
    id: 'getCurrentWorkspace',
    method: 'GET',
    path: '/api/v1/workspaces/current',
    section,
    summary: 'Get the current workspace',
    description: 'The one of the API key, the one that `X-Workspace-Id` names, or the one that was worked in last.',
    request: {},
    success: { status: 200, description: 'The workspace.', data: workspaceRecord, example },
    errors: [],
    handle: async (_request, { clients, rpc }) => ({
      data: workspaceView(await clients.workspaces.call('GetWorkspace', {}, rpc())),
    }),
  }),
  route({
    id: 'updateCurrentWorkspace',
    method: 'PATCH',
    path: '/api/v1/workspaces/current',
    section,
    summary: 'Rename the current workspace',
    description: 'At the identity provider too.',
    timeoutMs: PROVIDER_MS,
    request: { body, bodyExample: { name: 'Acme' } },
    success: { status: 200, description: 'The workspace.', data: workspaceRecord, example },
    errors: ['UPSTREAM_UNAVAILABLE'],
    handle: async ({ body: { name } }, call) =>
      changed(
        call,
        await call.clients.workspaces.call('UpdateWorkspace', { credential: call.credential, name }, call.rpc()),
      ),
  }),
];
