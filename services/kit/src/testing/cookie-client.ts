/** Sends requests with the cookies of earlier responses, whatever their path, and follows redirects across origins. */
export class CookieClient {
  /** Values by name. */
  readonly cookies = new Map<string, string>();

  /** Resolves with the response after the last redirect. Redirects are followed with GET and the same headers. */
  async send(
    url: string,
    { headers = {}, ...init }: { headers?: Record<string, string> } & RequestInit = {},
  ): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.cookies.set(name!, value!);
    }
    const location = response.headers.get('location');
    return location === null ? response : this.send(new URL(location, url).href, { headers });
  }
}
