import { fail, isPrintable } from '@tautan/kit';

const MAX_LENGTH = 2_048;
/** Placeholder that the provider replaces with the session id. It must not be percent-encoded. */
const SESSION = '{CHECKOUT_SESSION_ID}';
const PAGE = '/app/billing/return';

/** Builds the URLs that the provider's pages return to. */
export class ReturnUrls {
  readonly #origins: ReadonlySet<string>;

  /** `baseUrl` is the public address of this installation; `origins` are other allowed origins. */
  constructor(
    private readonly baseUrl: string,
    origins: readonly string[],
  ) {
    this.#origins = new Set([new URL(baseUrl).origin, ...origins]);
  }

  /** Returns the return URLs of a checkout. Throws VALIDATION_ERROR naming `returnUrl` if it is not allowed. */
  checkout(returnUrl: string | undefined): { successUrl: string; cancelUrl: string } {
    if (returnUrl === undefined) {
      const page = `${this.baseUrl}${PAGE}?session=${SESSION}`;
      return { successUrl: page, cancelUrl: page };
    }
    const url = this.#checked(returnUrl);
    return {
      successUrl: withQuery(url, `checkout=paid&session_id=${SESSION}`),
      cancelUrl: withQuery(url, 'checkout=canceled'),
    };
  }

  /** Returns the return URL of the portal. Throws VALIDATION_ERROR naming `returnUrl` if it is not allowed. */
  portal(returnUrl: string | undefined): string {
    return returnUrl === undefined ? `${this.baseUrl}${PAGE}?from=portal` : this.#checked(returnUrl).href;
  }

  #checked(text: string): URL {
    if (text.length > MAX_LENGTH) throw refused(`must have at most ${MAX_LENGTH} characters`);
    if (!isPrintable(text) || text.includes('\\') || !URL.canParse(text))
      throw refused('must be an absolute http(s) URL');
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol)) throw refused('must be an absolute http(s) URL');
    if (url.username !== '' || url.password !== '') throw refused('must not contain credentials');
    if (!this.#origins.has(url.origin)) throw refused('must have the origin of this service or another allowed origin');
    return url;
  }
}

const refused = (reason: string) => fail('VALIDATION_ERROR', `returnUrl ${reason}.`, 'returnUrl');

/** Appends parameters to the query, before a fragment. */
const withQuery = ({ origin, pathname, search, hash }: URL, parameters: string): string =>
  `${origin}${pathname}${search === '' ? '?' : `${search}&`}${parameters}${hash}`;
