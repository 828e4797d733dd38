import {
  deletedOf,
  deletedRecord,
  revokedSessionsRecord,
  SESSION_ID,
  userSessionExample,
  userSessionRecord,
  type SessionMessage,
  type UserSessionRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { pathId } from './fields.js';
import { route, type Route } from './route.js';
import { section } from './session.js';
import { wireFields } from './wire-fields.js';

const path = '/api/v1/auth/sessions';
/** Ending thousands of sessions takes longer than other operations. */
const REVOKE_ALL_TIMEOUT_MS = 10_000;

const userSessionView: (session: SessionMessage) => UserSessionRecord = wireFields(userSessionRecord);

export const userSessionRoutes: Route[] = [
  route({
    id: 'listSessions',
    method: 'GET',
    path,
    section,
    summary: 'List my sessions',
    description: 'Returns the browsers in which the user is signed in, newest first, without pagination.',
    request: {},
    success: {
      status: 200,
      description: 'All sessions.',
      data: z.array(userSessionRecord),
      example: [userSessionExample],
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
    summary: 'Revoke all my other sessions',
    timeoutMs: REVOKE_ALL_TIMEOUT_MS,
    description:
      'Signs the user out of every browser except this one, in Tautan and at the identity provider. With an access token, signs the user out of every browser. Takes effect everywhere within one second.',
    request: {},
    success: {
      status: 200,
      description: 'The sessions were revoked.',
      data: revokedSessionsRecord,
      example: { count: 2, deleted: true },
    },
    errors: [],
    handle: async (_request, { clients, rpc, caller, credential, credentials }) => {
      const { count } = await clients.sessions.call('RevokeOtherSessions', { credential }, rpc());
      credentials.evictByIds([caller!.id]);
      return { data: { count, deleted: true } };
    },
  }),
  route({
    id: 'revokeSession',
    method: 'DELETE',
    path: `${path}/{id}`,
    section,
    summary: 'Revoke one of my sessions',
    description:
      'Signs the user out of the browser of this session, in Tautan and at the identity provider. Takes effect everywhere within one second.',
    request: { params: z.object({ id: pathId('Id of the session.', SESSION_ID) }) },
    success: {
      status: 200,
      description: 'The session was revoked.',
      data: deletedRecord('ses'),
      example: deletedOf(SESSION_ID),
    },
    errors: ['NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc, caller, credentials }) => {
      await clients.sessions.call('RevokeSession', { id }, rpc());
      credentials.evictByIds([caller!.id]);
      return { data: deletedOf(id) };
    },
  }),
];
