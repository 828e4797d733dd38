import type { ApiKeyMessage } from '@tautan/proto';
import { z } from 'zod';
import { deleted, identifier, pathId, term, time } from './fields.js';
import { route, type Route } from './route.js';

const section = 'API keys';
const KEY_ID = 'key_01jd3x8q4v5w6y7z8a9b0c1d2e';
const path = '/api/v1/auth/api-keys';

const label = term(100).meta({
  description: 'What the key is for, 1–100 characters after trimming.',
  examples: ['CI'],
});
const prefix = z
  .string()
  .meta({ description: 'Its first characters, to recognise it by.', examples: ['tau_live_8Kf3aQ'] });

const apiKeyRecord = z
  .object({
    id: identifier('key', 'Id of the key.'),
    label,
    prefix,
    lastUsedAt: time('When it was used last, to the minute; null if never.').nullable(),
    createdBy: z
      .object({
        type: z.enum(['user', 'api_key', 'system']).meta({ description: 'Who made it.', examples: ['user'] }),
        id: identifier('usr', 'Id of whoever made it; null for the system.').nullable(),
      })
      .meta({ description: 'Who made it.' }),
    createdAt: time('When it was made.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key of a workspace, without the key itself.' });
type ApiKeyRecord = z.infer<typeof apiKeyRecord>;

const example: ApiKeyRecord = {
  id: KEY_ID,
  label: 'CI',
  prefix: 'tau_live_8Kf3aQ',
  lastUsedAt: '2030-01-31T11:59:00.000Z',
  createdBy: { type: 'user', id: 'usr_01jd3x8q4v5w6y7z8a9b0c1d2e' },
  createdAt: '2029-04-01T08:00:00.000Z',
};

const mintedKey = z.object({
  id: identifier('key', 'Id of the key.'),
  label,
  prefix,
  key: z.string().meta({
    description: 'The key itself. It is shown this once.',
    examples: ['tau_live_8Kf3aQz0T1uV2wX3yZ4aB5cD6eF7gH8i'],
  }),
  createdAt: time('When it was made.'),
});

const apiKeyView = ({ id, label, prefix, createdAt, ...key }: ApiKeyMessage): ApiKeyRecord => ({
  id,
  label,
  prefix,
  lastUsedAt: key.lastUsedAt ?? null,
  createdBy: { type: key.createdByType as ApiKeyRecord['createdBy']['type'], id: key.createdById ?? null },
  createdAt,
});

export const apiKeyRoutes: Route[] = [
  route({
    id: 'listApiKeys',
    method: 'GET',
    path,
    section,
    summary: 'List API keys',
    description: 'The keys of the workspace that are not revoked, newest first; all of them, not paged.',
    request: {},
    success: { status: 200, description: 'All keys.', data: z.array(apiKeyRecord), example: [example], paged: 'whole' },
    errors: [],
    handle: async (_request, { clients, rpc }) => {
      const { apiKeys } = await clients.apiKeys.call('ListApiKeys', {}, rpc());
      return { data: apiKeys.map(apiKeyView) };
    },
  }),
  route({
    id: 'mintApiKey',
    method: 'POST',
    path,
    section,
    summary: 'Mint an API key',
    secret: true,
    description:
      'The key is shown this once: Tautan keeps its SHA-256 only. With an `Idempotency-Key` the encrypted response is kept for 24 hours, so that a response that was lost can be asked for again.',
    request: { body: z.strictObject({ label }), bodyExample: { label: 'CI' } },
    success: {
      status: 201,
      description: 'The key.',
      data: mintedKey,
      example: {
        id: KEY_ID,
        label: 'CI',
        prefix: 'tau_live_8Kf3aQ',
        key: 'tau_live_8Kf3aQz0T1uV2wX3yZ4aB5cD6eF7gH8i',
        createdAt: '2029-04-01T08:00:00.000Z',
      },
    },
    errors: [],
    handle: async ({ body }, { clients, rpc, caller, operation }) => {
      const request = { workspaceId: caller!.workspaceId, label: body.label, ...operation };
      const { id, label, prefix, key, createdAt } = await clients.apiKeys.call('MintApiKey', request, rpc());
      return { data: { id, label, prefix, key, createdAt } };
    },
  }),
  route({
    id: 'revokeApiKey',
    method: 'DELETE',
    path: `${path}/{id}`,
    section,
    summary: 'Revoke an API key',
    description: 'It is refused everywhere within a second.',
    request: { params: z.object({ id: pathId('Id of the key.', KEY_ID) }) },
    success: { status: 200, description: 'It is gone.', data: deleted('key'), example: { id: KEY_ID, deleted: true } },
    errors: ['NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc, caller, credentials }) => {
      await clients.apiKeys.call('RevokeApiKey', { workspaceId: caller!.workspaceId, id }, rpc());
      credentials.drop([id]);
      return { data: { id, deleted: true } };
    },
  }),
];
