const MAX_REDIRECTS = 10;

export interface BrowserPage {
  url: string;
  status: number;
  text: string;
  headers: Headers;
}

/**
 * Imitates a browser with `fetch`: stores cookies, sends those whose path matches, follows redirects within the
 * provider and submits forms.
 */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>();

  constructor(private readonly origin: string) {}

  /** Opens a URL. Returns a redirect to another origin instead of following it. */
  async open(url: string, init: RequestInit = {}): Promise<BrowserPage> {
    let [at, request] = [new URL(url, this.origin), init];
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const response = await fetch(at, {
        ...request,
        redirect: 'manual',
        headers: { ...(request.headers as object), cookie: this.#cookieHeader(at.pathname) },
      });
      this.#storeCookies(response.headers.getSetCookie());
      const location = response.headers.get('location');
      const next = location === null ? undefined : new URL(location, at);
      if (!next || next.origin !== this.origin)
        return {
          url: (next ?? at).href,
          status: response.status,
          text: await response.text(),
          headers: response.headers,
        };
      await response.body?.cancel();
      [at, request] = [next, {}];
    }
    throw new Error('too many redirects');
  }

  /**
   * Fills in and submits the form of a page, including hidden fields. `button` is the `name=value` of the pressed
   * button.
   */
  async submit(
    page: BrowserPage,
    values: Record<string, string> = {},
    button?: string,
    headers: Record<string, string> = {},
  ): Promise<BrowserPage> {
    const [, action] = /<form[^>]* action="([^"]*)"/.exec(page.text) ?? [];
    if (action === undefined) throw new Error(`no form on: ${page.text.slice(-600)}`);
    const form = new URLSearchParams();
    for (const [tag] of page.text.matchAll(/<input[^>]*>/g)) {
      const name = attribute(tag, 'name');
      if (name !== undefined) form.set(name, attribute(tag, 'value') ?? '');
    }
    for (const [name, value] of Object.entries(values)) {
      if (!form.has(name)) throw new Error(`no field ${name}`);
      form.set(name, value);
    }
    if (button !== undefined) form.set(...(button.split('=') as [string, string]));
    return this.open(new URL(action, page.url).href, {
      method: 'POST',
      body: form,
      headers: { origin: this.origin, 'sec-fetch-site': 'same-origin', ...headers },
    });
  }

  /** Returns the values of the stored cookies. */
  get cookies(): string[] {
    return [...this.#cookies.values()].map(({ value }) => value);
  }

  /** Stores the cookies of Set-Cookie headers. An empty value deletes the cookie. */
  #storeCookies(headers: string[]): void {
    for (const header of headers) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!;
      const path = /;\s*path=([^;]+)/i.exec(header)?.[1] ?? '/';
      if (value === '') this.#cookies.delete(name!);
      else this.#cookies.set(name!, { value: value!, path });
    }
  }

  #cookieHeader(path: string): string {
    const sent = [...this.#cookies].filter(([, cookie]) => path.startsWith(cookie.path));
    return sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }
}

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
