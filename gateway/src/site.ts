import { isPrintable } from '@tautan/kit';

const CALLBACK_PATH = '/api/v1/auth/callback';
const PATH_MAX = 2_048;
const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const isLoopback = (origin: string): boolean => loopback.test(new URL(origin).hostname);

/** This service as browsers see it. */
export class Site {
  readonly #origin: string | undefined;

  /** Without a base address, what a request calls this host is believed: https, or http on a loopback name. */
  constructor(baseUrl: string | undefined) {
    this.#origin = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  }

  /** Cookies go over TLS only, unless everything stays on this machine. */
  get secureCookies(): boolean {
    const origin = this.#origin;
    return !(origin?.startsWith('http:') && isLoopback(origin));
  }

  /** Whether a request's Origin is this service's own. `host`: its Host header. */
  isOwnOrigin(origin: string, host: string): boolean {
    if (this.#origin !== undefined) return origin === this.#origin;
    return host !== '' && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
  }

  /** Where the identity provider sends browsers back to. */
  callbackUrl(host: string): string {
    return `${this.#origin ?? supposedOrigin(host)}${CALLBACK_PATH}`;
  }
}

function supposedOrigin(host: string): string {
  const plain = `http://${host || 'localhost'}`;
  if (!URL.canParse(plain)) return 'http://localhost';
  const { origin } = new URL(plain);
  return isLoopback(origin) ? origin : new URL(`https://${host}`).origin;
}

const nowhere = 'http://site.invalid';

/**
 * A path of this origin with its query and fragment, normalised; undefined for whatever a browser could take for an
 * address elsewhere (`//host`, `/\host`, `/.//host` …).
 */
export function localPath(text: string): string | undefined {
  if (!text.startsWith('/') || text.length > PATH_MAX || !isPrintable(text) || !URL.canParse(text, nowhere))
    return undefined;
  const { origin, pathname, search, hash } = new URL(text, nowhere);
  return origin === nowhere && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined;
}
