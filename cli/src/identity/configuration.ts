import { z } from 'zod';
import { apiClient } from '../api/client.js';
import { fail } from '../errors.js';

const address = z.url({ protocol: /^https?$/ });

const schema = z.object({
  issuer: address,
  deviceAuthorizationEndpoint: address,
  tokenEndpoint: address,
  deviceClientId: z.string().min(1),
  scope: z.string().min(1),
  /** Absent from older services. */
  audience: z.string().optional(),
});

/** Identity provider settings for device sign-in. */
export type IdentityConfiguration = z.infer<typeof schema>;

/**
 * Returns the identity provider settings of the service at `url` (GET /auth/configuration, public). Throws `refused`
 * if it does not support device sign-in.
 */
export async function identityConfiguration(url: string): Promise<IdentityConfiguration> {
  const data = await apiClient({ url }).get('/auth/configuration');
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw fail('refused', `${url} does not support sign-in from a terminal.`, {
    hint: 'Use an API key instead: tautan login --api-key -',
  });
}
