import type { Access } from '../access.js';
import { SESSION_COOKIE } from '../cookies.js';
import type { JsonSchema } from '@tautan/proto';

/** Types of credentials. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: "An API key, `tau_live_…`, or a user's access token from the identity provider.",
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key in the form `ApiKey tau_live_…`.',
  },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'The session of a user in a browser.' },
};

/** Credentials of operations that do not list their own. */
export const defaultSecurity = [{ bearer: [] }, { apiKey: [] }, { session: [] }];

/** Returns the OpenAPI fields and extensions that describe who can call an operation. */
export function accessFields({ credentials, role }: Access, tokenParameter?: string): JsonSchema {
  if (credentials.length === 0) return { security: [] };
  const isUsersOnly = !credentials.includes('api_key');
  const accepted = isUsersOnly ? [{ bearer: [] }, { session: [] }] : defaultSecurity;
  // `{}` makes credentials optional, because the token in this query parameter replaces them.
  const security = tokenParameter === undefined ? accepted : [...accepted, {}];
  return {
    ...(security !== defaultSecurity && { security }),
    ...(role !== 'anyone' && { 'x-required-role': role }),
    ...(isUsersOnly && { 'x-person-only': true }),
  };
}

/** Returns a sentence that describes who can call an operation. */
export function accessText({ credentials, role }: Access): string {
  if (credentials.length === 0) return '**Access:** public, no credential required.';
  const who = credentials.includes('api_key') ? '' : 'users only, ';
  if (role === 'anyone') return `**Access:** ${who}no role required.`;
  return `**Access:** ${who}role \`${role}\`${role === 'owner' ? '' : ' or higher'}.`;
}
