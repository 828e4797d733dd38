import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { SESSION_SECONDS, sessionCookie } from '../oidc/provider.js';

/** Sessions of browsers at the provider, for pages outside of a sign-in at an application. */
export class BrowserSessions {
  constructor(private readonly provider: Provider) {}

  /** Returns the id of the person who is signed in, or undefined. */
  async personIdOf(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
    const session = await this.provider.Session.get(this.provider.createContext(request, response));
    return session.accountId;
  }

  /** Signs a person in. The session and its cookie are new: whatever the browser brought ends. */
  async start(request: IncomingMessage, response: ServerResponse, personId: string): Promise<void> {
    const { provider } = this;
    const ctx = provider.createContext(request, response);
    await (await provider.Session.get(ctx)).destroy();
    const session = new provider.Session();
    session.loginAccount({ accountId: personId, amr: ['pwd'] });
    await session.save(SESSION_SECONDS);
    const options = { ...sessionCookie, maxAge: SESSION_SECONDS * 1_000, overwrite: true };
    ctx.cookies.set(provider.cookieName('session'), session.jti, options);
  }
}
