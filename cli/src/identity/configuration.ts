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
});

/** Where and as what a terminal signs in. */
export type IdentityConfiguration = z.infer<typeof schema>;

/** Asks the service which identity provider it trusts (GET /auth/configuration, public). */
export async function identityConfiguration(url: string): Promise<IdentityConfiguration> {
  const data = await apiClient({ url }).get('/auth/configuration');
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw fail('refused', `${url} offers no sign-in for terminals.`, {
    hint: 'Use an API key instead: tautan login --api-key -',
  });
}
