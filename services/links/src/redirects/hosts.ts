import { isIP } from 'node:net';
import { isLocalName } from '../domains/domain/domain-name.js';
import { isLoopback } from '../domains/domain/host.js';

const namePattern = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;

/**
 * Distinguishes the default domain from custom domains. The default domain is served on the host of the base URL, on
 * `ownHosts`, and on loopback names. With `localDomains`, names under .localhost are custom domains instead.
 */
export class Hosts {
  readonly #own: Set<string>;
  /** The last Host header of the default domain, which is almost always also the next one. */
  #last = '';

  constructor(
    baseUrl: string,
    ownHosts: string[],
    private readonly localDomains = false,
  ) {
    this.#own = new Set([new URL(baseUrl).host, ...ownHosts].map((host) => hostname(host) ?? host));
  }

  /**
   * Returns the host part of the routing key for a Host header: empty for the default domain, else a name in lower
   * case; undefined if the header is invalid (RFC 9112 3.2: respond with 400).
   */
  routingHost(header: string): string | undefined {
    if (header === this.#last && header !== '') return '';
    const host = hostname(header);
    if (host === undefined) return undefined;
    if (!this.#own.has(host) && !this.#isLoopback(host)) return host;
    this.#last = header;
    return '';
  }

  #isLoopback(host: string): boolean {
    return isLoopback(host) && !(this.localDomains && isLocalName(host));
  }
}

/**
 * Returns the name or address in a Host header in lower case, without its port and final dot; undefined if the header
 * is invalid.
 */
function hostname(header: string): string | undefined {
  const match = /^(\[[0-9A-Fa-f:.]{2,45}\]|[^:[\]/?#@\s]{1,254})(?::\d{0,5})?$/.exec(header);
  const host = match?.[1]?.toLowerCase().replace(/\.$/, '');
  if (host === undefined) return undefined;
  if (host.startsWith('[')) return isIP(host.slice(1, -1)) === 6 ? host : undefined;
  return namePattern.test(host) ? host : undefined;
}
