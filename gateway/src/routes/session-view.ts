import { fail } from '@tautan/kit';
import type { OpenedSessionMessage } from '@tautan/proto';
import { z } from 'zod';
import { personCaller, type Caller } from '../callers.js';
import { sessionCookie } from '../cookies.js';
import { identifier, time } from './fields.js';
import type { Reply } from './route.js';
import { plans, roles } from './workspaces.js';

export const sessionRecord = z
  .object({
    user: z
      .object({
        id: identifier('usr', 'Id of the person.'),
        email: z.string().meta({ description: 'Email address.', examples: ['mira@example.com'] }),
        name: z.string().meta({ description: 'Name.', examples: ['Mira'] }),
      })
      .nullable()
      .meta({ description: 'The person; null for an API key.', examples: [null] }),
    workspace: z
      .object({
        id: identifier('ws', 'Id of the workspace.'),
        name: z.string().meta({ description: 'Its name.', examples: ['Acme'] }),
        role: roles
          .nullable()
          .meta({ description: "The person's role there; null for an API key.", examples: ['admin'] }),
        plan: plans.meta({ description: 'Plan that it is on.', examples: ['PRO'] }),
      })
      .nullable()
      .meta({ description: 'Where requests work; null for a person who belongs to no workspace.', examples: [null] }),
    credential: z
      .object({
        type: z.enum(['session', 'token', 'api_key']).meta({ description: 'What was shown.', examples: ['session'] }),
        id: identifier('key', 'Id of the API key.').optional(),
        label: z
          .string()
          .optional()
          .meta({ description: 'Label of the API key.', examples: ['CI'] }),
        expiresAt: time('When the session or token ends.').optional(),
      })
      .meta({ description: 'By what the caller is known.' }),
  })
  .meta({ id: 'Session', description: 'Who the caller is, and where.' });
type SessionRecord = z.infer<typeof sessionRecord>;

export const sessionExample: SessionRecord = {
  user: { id: 'usr_01jd3x8q4v5w6y7z8a9b0c1d2e', email: 'mira@example.com', name: 'Mira' },
  workspace: { id: 'ws_01jd3x8q4v5w6y7z8a9b0c1d2e', name: 'Acme', role: 'admin', plan: 'PRO' },
  credential: { type: 'session', expiresAt: '2030-03-02T12:00:00.000Z' },
};

/** Who a caller is; `name`: of the workspace, where the caller does not know it. */
export function sessionView(caller: Caller, name = caller.workspaceName): SessionRecord {
  const { kind, id, workspaceId, role, plan, credential, expiresAt } = caller;
  const isKey = kind === 'api_key';
  return {
    user: isKey ? null : { id, email: caller.email, name: caller.name },
    workspace: workspaceId === '' ? null : { id: workspaceId, name, role: isKey ? null : role, plan },
    credential: isKey
      ? { type: 'api_key', id, label: caller.name }
      : { type: credential, ...(expiresAt && { expiresAt }) },
  };
}

/** Answers a session that was opened or prolonged, and gives the browser its cookie. */
export function opened({ secret, expiresAt, person }: OpenedSessionMessage): Reply {
  if (!person) throw fail('INTERNAL_ERROR', 'A session came without its person.');
  return {
    data: sessionView({ ...personCaller(person), credential: 'session', expiresAt }),
    cookies: [sessionCookie(secret, expiresAt)],
  };
}
