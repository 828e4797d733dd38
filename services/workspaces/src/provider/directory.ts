import { fail, type Fault, type Upstream } from '@tautan/kit';
import { z } from 'zod';
import { sanitize } from '../domain/text.js';
import type { Directory } from './identity-provider.js';
import { fetchProvider } from './http.js';
import { readBounded } from './read-bounded.js';

export interface DirectoryOptions {
  /** Base URL of the provider. */
  identityUrl: string;
  /** Timeout of a call, including the response body. */
  timeoutMs: number;
  /** Shared by all calls to this provider. */
  upstream: Upstream;
}

interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path segments after /api/v1/workspaces. */
  path: string[];
  body?: object;
  /** The field that the error names if the provider rejects the body. */
  field?: string;
}

/** Schema of the response's `data`; undefined if only the status matters. */
type Schema<T> = z.ZodType<T> | undefined;

const MAX_BYTES = 1_048_576;
const MAX_ITEMS = 1_000;

// Used as a path segment, so it must not be `.` or `..`.
const id = z
  .string()
  .max(200)
  .regex(/^(?!\.{1,2}$)\S+$/);
const role = z.enum(['owner', 'admin', 'member', 'viewer']);
const name = z.string().transform((text) => sanitize(text, 100));
const workspace = z.object({ id, name, role }).transform((one) => ({ ...one, name: one.name || one.id.slice(0, 100) }));
const member = z
  .object({
    id,
    userId: z.string().min(1).max(255).nullish(),
    email: z.string().min(3).max(254),
    name: name.nullish(),
    role,
    status: z.enum(['active', 'invited']),
    joinedAt: z.iso.datetime({ offset: true }).nullish(),
  })
  .transform(({ userId, joinedAt, ...rest }) => ({
    ...rest,
    subject: userId ?? null,
    email: rest.email.toLowerCase(),
    name: rest.name ?? '',
    joinedAt: joinedAt ? new Date(joinedAt) : null,
  }));

/** Returns a client of the provider's workspace and member API, which is called with the user's access token. */
export function httpDirectory(options: DirectoryOptions): Directory {
  const call = <T>(token: string, schema: Schema<T>, request: Request): Promise<T> =>
    options.upstream.call('workspaces', () => sendRequest(options, token, schema, request));
  return {
    listWorkspaces: (token) => call(token, z.array(workspace).max(MAX_ITEMS), { method: 'GET', path: [] }),
    createWorkspace: (token, newName) =>
      call(token, workspace, { method: 'POST', path: [], body: { name: newName }, field: 'name' }),
    renameWorkspace: async (token, workspaceId, newName) =>
      void (await call(token, undefined, {
        method: 'PATCH',
        path: [workspaceId],
        body: { name: newName },
        field: 'name',
      })),
    listMembers: (token, workspaceId) =>
      call(token, z.array(member).max(MAX_ITEMS), { method: 'GET', path: [workspaceId, 'members'] }),
    invite: (token, workspaceId, invitation) =>
      call(token, member, { method: 'POST', path: [workspaceId, 'members'], body: invitation, field: 'email' }),
    changeRole: async (token, workspaceId, memberId, newRole) => {
      const path = [workspaceId, 'members', memberId];
      await call(token, undefined, { method: 'PATCH', path, body: { role: newRole }, field: 'role' });
    },
    removeMember: async (token, workspaceId, memberId) =>
      void (await call(token, undefined, { method: 'DELETE', path: [workspaceId, 'members', memberId] })),
  };
}

async function sendRequest<T>(
  { identityUrl, timeoutMs, upstream }: DirectoryOptions,
  token: string,
  schema: Schema<T>,
  { method, path, body, field }: Request,
): Promise<T> {
  const url = [identityUrl.replace(/\/+$/, ''), 'api/v1/workspaces', ...path.map(encodeURIComponent)].join('/');
  const response = await fetchProvider(upstream, url, {
    method,
    // The token must never be sent to the target of a redirect.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await readBounded(response, MAX_BYTES);
  const refusal = refusalOf(response.status, field);
  if (refusal) throw refusal;
  return (schema && z.object({ data: schema }).parse(JSON.parse(text)).data) as T;
}

/** Returns the error for a status; undefined for a success. */
function refusalOf(status: number, field: string | undefined): Fault | undefined {
  if (status >= 200 && status < 300) return undefined;
  // Only invitations have an email. Other conflicts are rejections of the input.
  if (status === 409 && field === 'email')
    return fail('ALREADY_MEMBER', 'This email address belongs to a member or an open invitation.', 'email');
  switch (status) {
    case 400:
    case 409:
    case 422:
      return fail('VALIDATION_ERROR', `The identity provider rejected this ${field ?? 'request'}.`, field);
    case 401:
      return fail('UNAUTHENTICATED', 'The identity provider rejected the access token.');
    case 403:
      return fail('FORBIDDEN', 'The identity provider denied access.');
    case 404:
      return fail('NOT_FOUND', 'The identity provider does not know this workspace or member.');
    default:
      return fail('UPSTREAM_UNAVAILABLE', `The identity provider responded with ${status}.`);
  }
}
