import type { Access } from '../access.js';
import { SESSION_COOKIE } from '../cookies.js';
import type { JsonSchema } from './json-schema.js';

/** How a caller can be known. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: "An API key, `tau_live_…`, or a person's access token of the identity provider.",
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key in the form `ApiKey tau_live_…`.',
  },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'The session of a person in a browser.' },
};

/** What the document says of who may do an operation, for programs. */
export function accessFields({ credentials, role }: Access, tokenIn?: string): JsonSchema {
  if (credentials.length === 0) return { security: [] };
  const keys = credentials.includes('api_key') ? [{ apiKey: [] }] : [];
  return {
    // The empty one: with a token in the query nothing else is needed.
    security: [{ bearer: [] }, ...keys, { session: [] }, ...(tokenIn === undefined ? [] : [{}])],
    'x-required-role': role === 'anyone' ? null : role,
    'x-person-only': !credentials.includes('api_key'),
  };
}

/** The same for people. */
export function accessText({ credentials, role }: Access): string {
  if (credentials.length === 0) return '**Access:** everybody; no credential is needed.';
  const who = credentials.includes('api_key') ? 'people and API keys' : 'people only';
  if (role === 'anyone') return `**Access:** ${who}; no role is needed.`;
  return `**Access:** ${who}; \`${role}\`${role === 'owner' ? '' : ' or a higher role'}.`;
}
