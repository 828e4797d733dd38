import type { SessionMessage } from '@tautan/proto';
import { z } from 'zod';
import { deleted, identifier, pathId, time } from './fields.js';
import { route, type Route } from './route.js';
import { section } from './session.js';

const SESSION_ID = 'ses_01jd3x8q4v5w6y7z8a9b0c1d2e';
const path = '/api/v1/auth/sessions';

const userSession = z
  .object({
    id: identifier('ses', 'Id of the session.'),
    current: z.boolean().meta({ description: 'Whether the request came with this session.', examples: [true] }),
    ip: z
      .string()
      .nullable()
      .meta({ description: 'Address that the sign-in came from; null if unknown.', examples: ['203.0.113.7'] }),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: 'Browser that signed in; null if unknown.', examples: ['Mozilla/5.0 (X11; Linux x86_64)'] }),
    createdAt: time('When the user signed in.'),
    lastSeenAt: time('When the session was last used, to the hour.'),
    expiresAt: time('When the session ends unless it is used again.'),
  })
  .meta({ id: 'UserSession', description: 'A browser in which a user is signed in.' });
type UserSession = z.infer<typeof userSession>;

const example: UserSession = {
  id: SESSION_ID,
  current: true,
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  createdAt: '2030-01-31T12:00:00.000Z',
  lastSeenAt: '2030-01-31T12:00:00.000Z',
  expiresAt: '2030-03-02T12:00:00.000Z',
};

const userSessionView = ({ id, current, ip, userAgent, ...times }: SessionMessage): UserSession => ({
  id,
  current,
  ip: ip ?? null,
  userAgent: userAgent ?? null,
  createdAt: times.createdAt,
  lastSeenAt: times.lastSeenAt,
  expiresAt: times.expiresAt,
});

/** Literal paths come before those with a parameter. */
export const userSessionRoutes: Route[] = [
  route({
    id: 'listSessions',
    method: 'GET',
    path,
    section,
    summary: 'List my sessions',
    description: 'Browsers in which the user is signed in, newest first; not paged.',
    request: {},
    success: {
      status: 200,
      description: 'All sessions.',
      data: z.array(userSession),
      example: [example],
      paged: 'whole',
    },
    errors: [],
    handle: async (_request, { clients, rpc, credential }) => {
      const { sessions } = await clients.sessions.call('ListSessions', { credential }, rpc());
      return { data: sessions.map(userSessionView) };
    },
  }),
  route({
    id: 'revokeOtherSessions',
    method: 'DELETE',
    path,
    section,
    summary: 'End all my other sessions',
    description:
      'Signs the user out of every browser but this one, here and at the identity provider; effective everywhere within a second. With an access token, of every browser.',
    request: {},
    success: {
      status: 200,
      description: 'They have ended.',
      data: z.object({
        count: z
          .number()
          .int()
          .meta({ description: 'Sessions that were ended.', examples: [2] }),
        deleted: z.literal(true).meta({ description: 'Always true.', examples: [true] }),
      }),
      example: { count: 2, deleted: true },
    },
    errors: [],
    handle: async (_request, { clients, rpc, caller, credential, credentials }) => {
      const { count } = await clients.sessions.call('RevokeOtherSessions', { credential }, rpc());
      credentials.drop([caller!.id]);
      return { data: { count, deleted: true } };
    },
  }),
  route({
    id: 'revokeSession',
    method: 'DELETE',
    path: `${path}/{id}`,
    section,
    summary: 'End one of my sessions',
    description:
      'Signs the user out of that browser, here and at the identity provider; effective everywhere within a second.',
    request: { params: z.object({ id: pathId('Id of the session.', SESSION_ID) }) },
    success: {
      status: 200,
      description: 'It has ended.',
      data: deleted('ses'),
      example: { id: SESSION_ID, deleted: true },
    },
    errors: ['NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc, caller, credentials }) => {
      await clients.sessions.call('RevokeSession', { id }, rpc());
      credentials.drop([caller!.id]);
      return { data: { id, deleted: true } };
    },
  }),
];
