import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '@tautan/kit';
import type Provider from 'oidc-provider';
import type { Keys } from '../keys.js';
import { authenticator } from '../oidc/access-tokens.js';
import type { Clients } from '../oidc/clients.js';
import { requestUrl, sendIcon, sendPage } from '@tautan/local-web';
import { failurePage } from '../pages/messages.js';
import type { People } from '../people/people.js';
import type { SignInLinks } from '../people/sign-in-links.js';
import type { State } from '@tautan/append-log';
import { InvitationLinks } from '../workspaces/invitation-links.js';
import { Workspaces } from '../workspaces/workspaces.js';
import { AddressLimits } from './address-limits.js';
import { apiRoutes } from './api.js';
import { Forms } from './forms.js';
import type { OnReset } from './password-pages.js';
import { apiHandler } from './routes.js';

interface Deps {
  issuer: string;
  audience: string;
  clients: Clients;
  keys: Keys;
  state: State;
  people: People;
  signInLinks: SignInLinks;
  provider: Provider;
  log: Log;
  onReset: OnReset;
  requestsPerMinute: number;
  /** Whether email addresses of sign-ups from this machine count as verified. */
  trustSignUps: boolean;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const discovery = '/.well-known/openid-configuration';

/** Returns the request handler of the provider: API, pages and OpenID Connect. */
export function createHandler(deps: Deps): Handler {
  const { issuer, clients, provider, log } = deps;
  const parts = partsOf(deps);
  const limits = new AddressLimits(deps.requestsPerMinute);
  const openId = provider.callback();
  const { host } = new URL(issuer);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = requestUrl(request, issuer);
    if (await limits.rejectIfExceeded(request, response, url.pathname)) return;
    if (await parts.api(request, response, url.pathname)) return;
    if (await parts.forms.handle(request, response, url)) return;
    if (url.pathname === '/favicon.svg' || url.pathname === '/favicon.ico') return sendIcon(response);
    if (!url.pathname.startsWith('/api/v1/oidc') && !url.pathname.startsWith('/.well-known/'))
      return sendPage(response, failurePage(404, 'Page not found', 'Check the URL.'));
    // Discovery is available at two paths.
    if (url.pathname === `/api/v1/oidc${discovery}`) request.url = discovery;
    // URLs in responses use the issuer's host, regardless of the Host header of the request.
    request.headers.host = host;
    await openId(request, response);
  };
  return (request, response) => {
    const began = performance.now();
    response.once('finish', () => logResponse(log, request, response, performance.now() - began));
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request failed');
      response.destroy();
    });
  };
  function partsOf({ keys, state, people, signInLinks, audience, onReset, trustSignUps }: Deps) {
    const personWithId = (id: string) => people.withId(id);
    const authenticate = authenticator({ issuer, audience, key: keys.signing, personWithId });
    const workspaces = new Workspaces(state, personWithId);
    const links = new InvitationLinks(state, workspaces);
    const routes = apiRoutes({ issuer, people, workspaces, authenticate, onReset, trustSignUps });
    const { loginUri, redirectUris } = clients.dashboard;
    const formTargets = [...new Set(redirectUris.map((uri) => new URL(uri).origin))];
    return {
      api: apiHandler(routes, (error) => log.error({ err: error }, 'a request failed')),
      forms: new Forms({
        issuer,
        provider,
        people,
        signInLinks,
        workspaces,
        links,
        log,
        onReset,
        loginUri,
        formTargets,
        trustSignUps,
      }),
    };
  }
}

function logResponse(log: Log, request: IncomingMessage, { statusCode }: ServerResponse, ms: number): void {
  // URLs of sign-ins and password resets contain secrets, so omit the query and the ids in the path.
  const [path = ''] = (request.url ?? '').split('?');
  const op = `${request.method} ${path.replace(/\/(interaction|authorize|device|demo|workspaces|members)\/(?!authorize$)[\w-]+/g, '/$1/…')}`;
  log.info({ op, code: statusCode, ms: Math.round(ms * 10) / 10 }, 'request');
}
