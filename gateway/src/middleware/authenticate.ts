import { isWellFormedApiKey, type Fault, isFault } from '@tautan/kit';
import { unauthenticated, type Credential, type Credentials } from '../credentials.js';
import { addressKey, count, refuseIfSpent, type Limits } from '../limits.js';
import type { Context, Middleware } from '../state.js';

const scheme = /^(?:bearer|apikey) +(\S+) *$/i;

/**
 * Finds out whose request it is: `Authorization: Bearer <key>` or `ApiKey <key>`. What cannot be a key is refused without
 * a look elsewhere; addresses that show invalid credentials are limited, so that guessing stays slow and cheap for us.
 */
export function authenticate(credentials: Credentials, limits: Limits): Middleware {
  return async (ctx, next) => {
    const credential = await identify(ctx, credentials, limits);
    const { requestId, client } = ctx.state;
    ctx.state.plan = credential.plan;
    ctx.state.principal = {
      workspaceId: credential.workspaceId,
      kind: 'api_key',
      id: credential.id,
      name: credential.label,
      role: 'admin',
      ip: client.ip,
      userAgent: client.userAgent,
      requestId,
    };
    return next();
  };
}

async function identify(ctx: Context, credentials: Credentials, limits: Limits): Promise<Credential> {
  const key = scheme.exec(ctx.get('authorization'))?.[1];
  const address = addressKey(ctx.state.client.ip);
  const known = key === undefined ? undefined : credentials.remembered(key);
  if (known && !isFault(known)) return known;
  try {
    if (key === undefined) throw unauthenticated('Send an API key: `Authorization: Bearer <key>`.');
    if (known) throw known;
    if (!isWellFormedApiKey(key)) throw unauthenticated('The credential is not a valid API key.');
    await refuseIfSpent(ctx, limits.failures, address);
    return await credentials.verify(key, ctx.state.requestId);
  } catch (error) {
    if ((error as Fault).code === 'UNAUTHENTICATED') await count(ctx, limits.failures, address);
    throw error;
  }
}
