import { isIP } from 'node:net';
import { isLocalName } from '../domains/domain/domain-name.js';
import { isLoopback } from '../domains/domain/host.js';

const nameForm = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;

/**
 * Tells whose host a request is for: the default domain's or a custom one. The default domain is served under the
 * public address, every further own host and every name of the loopback, unless names under .localhost are custom domains.
 */
export class Hosts {
  readonly #own: Set<string>;
  /** The last Host field of the default domain: as good as always the next one too. */
  #last = '';

  constructor(
    baseUrl: string,
    ownHosts: string[],
    private readonly localDomains = false,
  ) {
    this.#own = new Set([new URL(baseUrl).host, ...ownHosts].map((host) => hostname(host) ?? host));
  }

  /**
   * The host part of the routing key for a Host header: empty for the default domain, a lower-case name for another,
   * undefined when the header is no host (RFC 9112 3.2: answer 400).
   */
  partition(header: string): string | undefined {
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

/** The name or address in a Host header, in lower case, without port and final dot; undefined when there is none. */
function hostname(header: string): string | undefined {
  const match = /^(\[[0-9A-Fa-f:.]{2,45}\]|[^:[\]/?#@\s]{1,254})(?::\d{0,5})?$/.exec(header);
  const host = match?.[1]?.toLowerCase().replace(/\.$/, '');
  if (host === undefined) return undefined;
  if (host.startsWith('[')) return isIP(host.slice(1, -1)) === 6 ? host : undefined;
  return nameForm.test(host) ? host : undefined;
}
