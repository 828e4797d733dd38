import { domainToASCII } from 'node:url';
import { isIP } from 'node:net';
import { fail } from '@tautan/kit';
import { getDomain, getPublicSuffix } from 'tldts';
import { isPrivateHost } from './host.js';

/** RFC 1123, with at least one dot. */
const form = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** What ends a host, or is decoded, where a URL is read. */
const notOfAName = /[\s/\\?#@:%[\]]/;
const LONGEST = 253;
/** What the name of the ownership record has in front of the domain. */
export const OWNERSHIP_LABEL = '_tautan';

/** A domain's name in lower case, in punycode where it is international (UTS 46), without a final dot; else undefined. */
export function parseDomainName(text: string): string | undefined {
  if (text.length > LONGEST + 1 || notOfAName.test(text)) return undefined;
  const name = domainToASCII(text).replace(/\.$/, '');
  return name.length <= LONGEST && isIP(name) === 0 && form.test(name) ? name : undefined;
}

/** Whether a name resolves to the visitor's own machine (RFC 6761, section 6.3). */
export const isLocalName = (name: string): boolean => name.endsWith('.localhost');

/**
 * The name of a domain that a workspace may add. Throws VALIDATION_ERROR naming `domain` for what is no host name, is an
 * address, has a port or a path, is a public suffix (those of private registries included), belongs to a private network,
 * is this service's own (`own`: host names), or leaves no room for the name of its ownership record. `allowLocal`: names under
 * .localhost are accepted.
 */
export function checkDomainName(text: string, own: ReadonlySet<string>, allowLocal = false): string {
  const name = parseDomainName(text);
  if (name === undefined) throw refuse('domain must be a host name, such as go.example.com.');
  if (own.has(name)) throw refuse("domain must not be this service's own.");
  if (isPrivateHost(name) && !(allowLocal && isLocalName(name))) throw refuse('domain must be a public host name.');
  if (getPublicSuffix(name, registries) === name) throw refuse('domain must not be a public suffix.');
  if (OWNERSHIP_LABEL.length + 1 + name.length > LONGEST) {
    throw refuse(`domain must have at most ${LONGEST - OWNERSHIP_LABEL.length - 1} characters.`);
  }
  return name;
}

/** Whether a domain is what its holder registered, where a CNAME cannot stand (RFC 1034, section 3.6.2). */
export const isApex = (name: string): boolean => getDomain(name, registries) === name;

const registries = { allowPrivateDomains: true };
const refuse = (message: string): Error => fail('VALIDATION_ERROR', message, 'domain');
