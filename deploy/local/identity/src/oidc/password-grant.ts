import type Provider from 'oidc-provider';
import type { errors as oidcErrors, KoaContextWithOIDC } from 'oidc-provider';
import type { People } from '../people/people.js';
import type { Person } from '../people/person.js';
import { Refusal } from '@tautan/local-web';
import { claimsOf } from './accounts.js';
import { apiResource, resourceServer, scopes } from './resource.js';

interface Deps {
  provider: Provider;
  errors: typeof oidcErrors;
  people: People;
  audience: string;
}

/** Adds the resource owner password credentials grant (RFC 6749 section 4.3) for clients registered for it. */
export function registerPasswordGrant({ provider, errors, people, audience }: Deps): void {
  provider.registerGrantType(
    'password',
    async (ctx) => {
      const { username, password, scope } = ctx.oidc.params as Record<string, string | undefined>;
      if (!username || !password) throw new errors.InvalidRequest('username and password are required');
      const wanted = scope === undefined ? ['openid'] : scope.split(' ');
      const granted = wanted.filter((one) => scopes.includes(one)).join(' ');
      const person = await signIn(ctx, { people, errors, email: username, password });
      ctx.body = await tokensFor(ctx, { provider, audience, person, scope: granted });
    },
    ['username', 'password', 'scope', 'resource'],
  );
}

async function signIn(
  ctx: KoaContextWithOIDC,
  { people, errors, ...input }: Pick<Deps, 'people' | 'errors'> & { email: string; password: string },
): Promise<Person> {
  try {
    return await people.signIn(input);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message, retryAfter } = error;
    if (retryAfter === undefined) throw new errors.InvalidGrant('invalid email or password');
    ctx.set('Retry-After', `${retryAfter}`);
    throw Object.assign(new errors.CustomOIDCProviderError(code, message), { status, statusCode: status });
  }
}

async function tokensFor(
  ctx: KoaContextWithOIDC,
  { provider, audience, person, scope }: { provider: Provider; audience: string; person: Person; scope: string },
): Promise<object> {
  const client = ctx.oidc.client!;
  const grant = new provider.Grant({ accountId: person.id, clientId: client.clientId });
  grant.addOIDCScope(scope);
  grant.addResourceScope(apiResource, scope);
  const grantId = await grant.save();
  const common = { accountId: person.id, client, grantId, gty: 'password', scope };

  const accessToken = new provider.AccessToken(common);
  accessToken.resourceServer = new provider.ResourceServer(apiResource, resourceServer(audience));
  const access = await accessToken.save();
  const refresh = scope.split(' ').includes('offline_access')
    ? await new provider.RefreshToken({ ...common, resource: apiResource, rotations: 0 }).save()
    : undefined;
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessToken.expiration,
    scope,
    ...(refresh !== undefined && { refresh_token: refresh }),
    ...(scope.split(' ').includes('openid') && { id_token: await idToken(ctx, provider, person, scope) }),
  };
}

async function idToken(ctx: KoaContextWithOIDC, provider: Provider, person: Person, scope: string): Promise<string> {
  const token = new provider.IdToken({ ...claimsOf(person), auth_time: Math.floor(Date.now() / 1000) }, { ctx });
  Object.assign(token, { scope });
  return token.issue({ use: 'idtoken' });
}
