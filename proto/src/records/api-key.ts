import { z } from 'zod';
import { actorTypes } from './actor.js';
import { choice, exampleId, identifier, text, time } from './fields.js';

export const apiKeyRecord = z
  .object({
    id: identifier('key', 'Id of the key.'),
    label: text('Purpose of the key.', 'CI').meta({ minLength: 1, maxLength: 100 }),
    prefix: text('First characters of the key.', 'tau_live_8Kf3aQ'),
    lastUsedAt: time('Time of the last use, accurate to within a minute; null if it was never used.').nullable(),
    createdBy: z
      .object({
        type: choice(actorTypes, 'Type of the creator.'),
        id: identifier('usr', 'Id of the creator; null for the system.').nullable(),
      })
      .meta({ description: 'The user who created the key; the system if an operator created it.' }),
    createdAt: time('Time of creation.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key of a workspace, without its secret.' });
export type ApiKeyRecord = z.infer<typeof apiKeyRecord>;

export const API_KEY_ID = exampleId('key');

export const apiKeyExample: ApiKeyRecord = {
  id: API_KEY_ID,
  label: 'CI',
  prefix: 'tau_live_8Kf3aQ',
  lastUsedAt: '2030-01-31T11:59:00.000Z',
  createdBy: { type: 'user', id: exampleId('usr') },
  createdAt: '2029-04-01T08:00:00.000Z',
};

const { id, label, prefix, createdAt } = apiKeyRecord.shape;

/** A new API key with its secret. */
export const mintedApiKeyRecord = z.object({
  id,
  label,
  prefix,
  key: text('The key. It is returned only once.', 'tau_live_8Kf3aQz0T1uV2wX3yZ4aB5cD6eF7gH8i'),
  createdAt,
});
export type MintedApiKeyRecord = z.infer<typeof mintedApiKeyRecord>;

export const mintedApiKeyExample: MintedApiKeyRecord = {
  id: API_KEY_ID,
  label: 'CI',
  prefix: 'tau_live_8Kf3aQ',
  key: 'tau_live_8Kf3aQz0T1uV2wX3yZ4aB5cD6eF7gH8i',
  createdAt: '2029-04-01T08:00:00.000Z',
};
