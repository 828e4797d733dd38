import { createLog, Registry } from '@tautan/kit';
import { identityOf, readWorkspacesConfig } from '../config.js';
import { httpProvider } from '../provider/http-provider.js';
import type { IdentityProvider } from '../provider/identity-provider.js';
import { startOidc, type OidcServer } from './oidc.js';

const silent = createLog('test', 'silent');
const settings = {
  BIND_HOST: '127.0.0.1',
  MONGODB_URI: 'mongodb://127.0.0.1',
  NATS_URL: 'nats://127.0.0.1',
  // Longer than the default, so that a busy machine is not mistaken for a slow provider.
  IDENTITY_TIMEOUT_MS: '5000',
};

/** The identity provider adapter with an adjustable clock, connected to an OpenID provider for tests. */
export class Adapter {
  /** How far the clock is ahead of the system clock, in milliseconds. */
  aheadMs = 0;
  registry = new Registry();
  readonly provider: IdentityProvider;

  private constructor(readonly server: OidcServer) {
    this.provider = this.connect();
  }

  static start = async (): Promise<Adapter> => new Adapter(await startOidc());

  /**
   * Returns another identity provider adapter, connected to the same `server`. The registry of the new adapter replaces
   * `registry`. `more` overrides settings.
   */
  connect(more: Record<string, string> = {}, log = silent): IdentityProvider {
    this.registry = new Registry();
    const config = readWorkspacesConfig({ ...settings, ...this.server.settings(), ...more });
    const now = (): Date => new Date(Date.now() + this.aheadMs);
    return httpProvider({ settings: identityOf(config)!, log, registry: this.registry, now });
  }

  /** Returns the current time as a numeric date (RFC 7519, section 2). */
  seconds = (): number => Math.floor((Date.now() + this.aheadMs) / 1000);

  stop = (): Promise<void> => this.server.stop();
}
