import type { Access } from '../access.js';
import { SESSION_COOKIE } from '../cookies.js';
import type { JsonSchema } from '@tautan/proto';

/** Types of credentials. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: "An API key, `tau_live_…`, or a user's access token of the identity provider.",
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key in the form `ApiKey tau_live_…`.',
  },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'The session of a user in a browser.' },
};

/** Returns who can call an operation, in the fields of OpenAPI and extensions. */
export function accessFields({ credentials, role }: Access, tokenIn?: string): JsonSchema {
  if (credentials.length === 0) return { security: [] };
  const keys = credentials.includes('api_key') ? [{ apiKey: [] }] : [];
  return {
    // The empty requirement: a token in the query replaces other credentials.
    security: [{ bearer: [] }, ...keys, { session: [] }, ...(tokenIn === undefined ? [] : [{}])],
    'x-required-role': role === 'anyone' ? null : role,
    'x-person-only': !credentials.includes('api_key'),
  };
}

/** Returns who can call an operation as text. */
export function accessText({ credentials, role }: Access): string {
  if (credentials.length === 0) return '**Access:** public, no credential required.';
  const who = credentials.includes('api_key') ? 'users and API keys' : 'users only';
  if (role === 'anyone') return `**Access:** ${who}; no role required.`;
  return `**Access:** ${who} with the role \`${role}\`${role === 'owner' ? '' : ' or higher'}.`;
}
