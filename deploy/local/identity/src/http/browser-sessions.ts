import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { SESSION_SECONDS, cookieAttributes } from '../oidc/provider.js';

/** Browser sessions at the provider, for pages outside of an application's sign-in. */
export class BrowserSessions {
  constructor(private readonly provider: Provider) {}

  /** Returns the id of the signed-in user, or undefined. */
  async personIdOf(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
    const session = await this.provider.Session.get(this.provider.createContext(request, response));
    return session.accountId;
  }

  /** Signs a user in with a new session and cookie. An existing session ends. */
  async start(request: IncomingMessage, response: ServerResponse, personId: string): Promise<void> {
    const { provider } = this;
    const ctx = provider.createContext(request, response);
    await (await provider.Session.get(ctx)).destroy();
    const session = new provider.Session();
    session.loginAccount({ accountId: personId, amr: ['pwd'] });
    await session.save(SESSION_SECONDS);
    const options = { ...cookieAttributes, maxAge: SESSION_SECONDS * 1_000, overwrite: true };
    ctx.cookies.set(provider.cookieName('session'), session.jti, options);
  }
}
