import {
  WORKSPACE_ID,
  workspaceExample as example,
  workspaceRecord,
  type WorkspaceMessage,
  type WorkspaceRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { nonEmptyText, trimmedText } from './fields.js';
import { route, type HandlerContext, type Reply, type Route } from './route.js';
import { wireFields } from './wire-fields.js';

const section = 'Workspaces';
/** Timeout in ms of operations that call the identity provider. */
export const IDENTITY_PROVIDER_TIMEOUT_MS = 10_000;

const fields = wireFields(workspaceRecord);

/** Returns the record of a workspace. API keys have no role: it is empty in the message, and null in the record. */
const workspaceView = ({ role, ...workspace }: WorkspaceMessage): WorkspaceRecord => ({
  ...fields({ ...workspace, role: role || undefined }),
});

/** Replies with a workspace that was created, switched to or renamed, and evicts the caller's cached credentials. */
function replyAndEvict({ caller, credentials }: HandlerContext, workspace: WorkspaceMessage): Reply {
  credentials.evictByIds([caller!.id]);
  return { data: workspaceView(workspace) };
}

const body = z.strictObject({
  name: trimmedText(100).meta({ description: 'Name: 1–100 characters after trimming.', examples: ['Acme'] }),
});

export const workspaceRoutes: Route[] = [
  route({
    id: 'listWorkspaces',
    method: 'GET',
    path: '/api/v1/workspaces',
    section,
    summary: 'List workspaces',
    description:
      "Returns the user's workspaces, without pagination, after updating them from the identity provider unless configured otherwise. While the provider is unavailable, returns the last known workspaces. For an API key, returns its workspace.",
    timeoutMs: IDENTITY_PROVIDER_TIMEOUT_MS,
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
    description:
      'Creates the workspace at the identity provider too, unless configured otherwise. The user becomes the owner.',
    timeoutMs: IDENTITY_PROVIDER_TIMEOUT_MS,
    request: { body, bodyExample: { name: 'Acme' } },
    success: {
      status: 201,
      description: 'The workspace.',
      data: workspaceRecord,
      example: { ...example, role: 'owner' },
    },
    errors: ['UPSTREAM_UNAVAILABLE'],
    handle: async ({ body: { name } }, context) => {
      const request = { credential: context.credential, name, ...context.operation };
      return replyAndEvict(
        context,
        await context.clients.workspaces.call('CreateOwnWorkspace', request, context.rpc()),
      );
    },
  }),
  route({
    id: 'switchWorkspace',
    method: 'POST',
    path: '/api/v1/workspaces/switch',
    section,
    summary: 'Switch to a workspace',
    description: "Makes the workspace the user's active one, which is used unless `X-Workspace-Id` names another.",
    request: {
      body: z.strictObject({
        workspaceId: nonEmptyText(64).meta({
          description: 'Id of a workspace that you are a member of.',
          examples: [WORKSPACE_ID],
        }),
      }),
      bodyExample: { workspaceId: WORKSPACE_ID },
    },
    success: { status: 200, description: 'The workspace.', data: workspaceRecord, example },
    errors: ['NOT_FOUND'],
    handle: async ({ body: { workspaceId } }, context) =>
      replyAndEvict(context, await context.clients.workspaces.call('SwitchWorkspace', { workspaceId }, context.rpc())),
  }),
  route({
    id: 'getCurrentWorkspace',
    method: 'GET',
    path: '/api/v1/workspaces/current',
    section,
    summary: 'Get the current workspace',
    description: 'Returns the workspace of the API key, the one in `X-Workspace-Id`, or the active one.',
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
    description: 'Renames the workspace at the identity provider too, unless configured otherwise.',
    timeoutMs: IDENTITY_PROVIDER_TIMEOUT_MS,
    request: { body, bodyExample: { name: 'Acme' } },
    success: { status: 200, description: 'The workspace.', data: workspaceRecord, example },
    errors: ['UPSTREAM_UNAVAILABLE'],
    handle: async ({ body: { name } }, context) =>
      replyAndEvict(
        context,
        await context.clients.workspaces.call(
          'UpdateWorkspace',
          { credential: context.credential, name },
          context.rpc(),
        ),
      ),
  }),
];
