import {
  actorTypes,
  API_KEY_ID,
  apiKeyExample,
  apiKeyRecord,
  deletedOf,
  deletedRecord,
  mintedApiKeyExample,
  mintedApiKeyRecord,
  type ApiKeyMessage,
  type ApiKeyRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { pathId, trimmedText } from './fields.js';
import { route, type Route } from './route.js';
import { wireFields, wireValue } from './wire-fields.js';

const section = 'API keys';
const path = '/api/v1/auth/api-keys';

const label = trimmedText(100).meta({
  description: 'Purpose of the key: 1–100 characters after trimming.',
  examples: ['CI'],
});
const fields = wireFields(apiKeyRecord);

const apiKeyView = (key: ApiKeyMessage): ApiKeyRecord => ({
  ...fields(key),
  createdBy: {
    type: wireValue(actorTypes, 'createdBy.type', key.createdByType),
    id: key.createdById ?? null,
  },
});

export const apiKeyRoutes: Route[] = [
  route({
    id: 'listApiKeys',
    method: 'GET',
    path,
    section,
    summary: 'List API keys',
    description: 'Returns all keys of the workspace that are not revoked, newest first, without pagination.',
    request: {},
    success: {
      status: 200,
      description: 'All keys.',
      data: z.array(apiKeyRecord),
      example: [apiKeyExample],
      paged: 'whole',
    },
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
    summary: 'Create an API key',
    secret: true,
    description:
      'The key is returned only once, because Tautan stores only its SHA-256 hash. With an `Idempotency-Key`, the encrypted response is stored for 24 hours, so that a retry returns it again.',
    request: { body: z.strictObject({ label }), bodyExample: { label: 'CI' } },
    success: {
      status: 201,
      description: 'The key.',
      data: mintedApiKeyRecord,
      example: mintedApiKeyExample,
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
    description: 'The key is refused everywhere within one second.',
    request: { params: z.object({ id: pathId('Id of the key.', API_KEY_ID) }) },
    success: {
      status: 200,
      description: 'The key was revoked.',
      data: deletedRecord('key'),
      example: deletedOf(API_KEY_ID),
    },
    errors: ['NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc, caller, credentials }) => {
      await clients.apiKeys.call('RevokeApiKey', { workspaceId: caller!.workspaceId, id }, rpc());
      credentials.evictByIds([id]);
      return { data: deletedOf(id) };
    },
  }),
];
