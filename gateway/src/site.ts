import { isPrintable } from '@tautan/kit';

const CALLBACK_PATH = '/api/v1/auth/callback';
const MAX_PATH_LENGTH = 2_048;
const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const isLoopback = (origin: string): boolean => loopback.test(new URL(origin).hostname);

/** The public origin of this service. */
export class Site {
  readonly #origin: string | undefined;

  /** Without a base URL, the origin is derived from the Host header: https, or http for a loopback name. */
  constructor(baseUrl: string | undefined) {
    this.#origin = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  }

  /** Whether cookies are Secure: always, unless the base URL is http on a loopback name. */
  get usesSecureCookies(): boolean {
    const origin = this.#origin;
    return !(origin?.startsWith('http:') && isLoopback(origin));
  }

  /**
   * Returns whether an Origin header is the origin of this service. Without a base URL, compares its host and port with
   * `host` (the Host header) and ignores the scheme.
   */
  isOwnOrigin(origin: string, host: string): boolean {
    if (this.#origin !== undefined) return origin === this.#origin;
    return host !== '' && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
  }

  /** Returns the redirect URI for the identity provider. `host`: the Host header. */
  callbackUrl(host: string): string {
    return `${this.#origin ?? originOfHost(host)}${CALLBACK_PATH}`;
  }
}

function originOfHost(host: string): string {
  const plain = `http://${host || 'localhost'}`;
  if (!URL.canParse(plain)) return 'http://localhost';
  const { origin } = new URL(plain);
  return isLoopback(origin) ? origin : new URL(`https://${host}`).origin;
}

const placeholderOrigin = 'http://site.invalid';

/**
 * Normalizes a path of this origin, with query and fragment. Returns undefined if the text does not start with `/`, is
 * too long or not printable, or if a browser could resolve it to another origin (`//host`, `/\host`, `/.//host` …).
 */
export function localPath(text: string): string | undefined {
  if (
    !text.startsWith('/') ||
    text.length > MAX_PATH_LENGTH ||
    !isPrintable(text) ||
    !URL.canParse(text, placeholderOrigin)
  )
    return undefined;
  const { origin, pathname, search, hash } = new URL(text, placeholderOrigin);
  return origin === placeholderOrigin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined;
}
