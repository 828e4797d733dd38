import type { Authenticate } from '../oidc/access-tokens.js';
import type { People } from '../people/people.js';
import { claimsOf } from '../oidc/accounts.js';
import { emailOf } from '../people/person.js';
import type { Workspaces } from '../workspaces/workspaces.js';
import { isFromThisMachine } from './client-address.js';
import { resetUrl, type OnReset } from './password-pages.js';
import { jsonOf } from '@tautan/local-web';
import type { ApiRoute } from './routes.js';

interface Deps {
  issuer: string;
  people: People;
  workspaces: Workspaces;
  authenticate: Authenticate;
  onReset: OnReset;
  /** Whether email addresses of sign-ups from this machine count as verified. */
  trustSignUps: boolean;
}

/** Returns the routes of the JSON API. Its only OpenID Connect endpoint is userinfo; oidc-provider serves the others. */
export function apiRoutes({ issuer, people, workspaces, authenticate, onReset, trustSignUps }: Deps): ApiRoute[] {
  const personOf = ({ headers }: { headers: { authorization?: string } }) => authenticate(headers.authorization);
  return [
    // Handled here because the userinfo endpoint of oidc-provider rejects access tokens with an audience.
    route('GET', '/api/v1/oidc/userinfo', async (request) => ({ body: claimsOf(await personOf(request)) })),
    route('POST', '/api/v1/oidc/userinfo', async (request) => ({ body: claimsOf(await personOf(request)) })),

    flatErrors('POST', '/api/v1/people', async (request) => {
      const { email, password, name } = await jsonOf(request);
      const created = await people.signUp({ email, password, name }, trustSignUps && isFromThisMachine(request));
      return { status: 201, body: { id: created.id, email: created.email, name: created.name } };
    }),
    flatErrors('POST', '/api/v1/people/forgot-password', async (request) => {
      const email = emailOf((await jsonOf(request))['email']);
      const { token, isKnown } = await people.requestReset(email);
      if (isKnown) onReset(email, resetUrl(issuer, token));
      return { status: 202, body: {} };
    }),

    route('GET', '/api/v1/workspaces', async (request) => ({
      body: { data: await workspaces.list(await personOf(request)) },
    })),
    route('POST', '/api/v1/workspaces', async (request) => ({
      status: 201,
      body: { data: await workspaces.create(await personOf(request), await jsonOf(request)) },
    })),
    route('PATCH', '/api/v1/workspaces/:id', async (request, id) => ({
      body: { data: await workspaces.rename(await personOf(request), id, await jsonOf(request)) },
    })),
    route('GET', '/api/v1/workspaces/:id/members', async (request, id) => ({
      body: { data: workspaces.members(await personOf(request), id) },
    })),
    route('POST', '/api/v1/workspaces/:id/members', async (request, id) => ({
      status: 201,
      body: { data: await workspaces.invite(await personOf(request), id, await jsonOf(request)) },
    })),
    route('PATCH', '/api/v1/workspaces/:id/members/:memberId', async (request, id, memberId) => ({
      body: { data: await workspaces.changeRole(await personOf(request), id, memberId, await jsonOf(request)) },
    })),
    route('DELETE', '/api/v1/workspaces/:id/members/:memberId', async (request, id, memberId) => ({
      body: { data: await workspaces.remove(await personOf(request), id, memberId) },
    })),
  ];
}

/** Returns a route whose error responses are `{error: {code, message}}`. */
const route = (method: string, path: string, answer: ApiRoute['answer']): ApiRoute => ({
  method,
  path,
  answer,
  errorBody: ({ code, message }) => ({ error: { code, message } }),
});

/** Returns a route whose error responses are `{error, message}`. */
const flatErrors = (method: string, path: string, answer: ApiRoute['answer']): ApiRoute => ({
  method,
  path,
  answer,
  errorBody: ({ code, message }) => ({ error: code, message }),
});
