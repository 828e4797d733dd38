import { domainToASCII } from 'node:url';
import { isIP } from 'node:net';
import { fail } from '@tautan/kit';
import { getDomain, getPublicSuffix } from 'tldts';
import { isPrivateHost } from './host.js';

/** RFC 1123, with at least one dot. */
const form = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters that would end the host of a URL, or that a URL parser would decode. */
const delimiter = /[\s/\\?#@:%[\]]/;
const MAX_NAME_LENGTH = 253;
/** The first label of the ownership record's name. The rest of the name is the domain. */
export const OWNERSHIP_LABEL = '_tautan';

/**
 * Returns a domain name in lower case, in punycode if internationalized (UTS 46), without a final dot; undefined if it
 * is invalid.
 */
export function parseDomainName(text: string): string | undefined {
  if (text.length > MAX_NAME_LENGTH + 1 || delimiter.test(text)) return undefined;
  const name = domainToASCII(text).replace(/\.$/, '');
  return name.length <= MAX_NAME_LENGTH && isIP(name) === 0 && form.test(name) ? name : undefined;
}

/** Returns whether a name resolves to the visitor's own machine (RFC 6761, section 6.3). */
export const isLocalName = (name: string): boolean => name.endsWith('.localhost');

/**
 * Returns the name of a domain that a workspace may add. Throws VALIDATION_ERROR naming `domain` if it is not a host
 * name, is an address, has a port or a path, is a public suffix (including private registries), belongs to a private
 * network, is this service's own (`own`: host names), or is too long for its ownership record. `allowLocal` accepts
 * names under .localhost.
 */
export function checkDomainName(text: string, own: ReadonlySet<string>, allowLocal = false): string {
  const name = parseDomainName(text);
  if (name === undefined) throw refuse('domain must be a host name, such as go.example.com.');
  if (own.has(name)) throw refuse('domain must not be a host name of this service.');
  if (isPrivateHost(name) && !(allowLocal && isLocalName(name))) throw refuse('domain must be a public host name.');
  if (getPublicSuffix(name, registries) === name) throw refuse('domain must not be a public suffix.');
  if (OWNERSHIP_LABEL.length + 1 + name.length > MAX_NAME_LENGTH) {
    throw refuse(`domain must have at most ${MAX_NAME_LENGTH - OWNERSHIP_LABEL.length - 1} characters.`);
  }
  return name;
}

/** Returns whether a domain is an apex, where a CNAME is not allowed (RFC 1034, section 3.6.2). */
export const isApex = (name: string): boolean => getDomain(name, registries) === name;

const registries = { allowPrivateDomains: true };
const refuse = (message: string): Error => fail('VALIDATION_ERROR', message, 'domain');
