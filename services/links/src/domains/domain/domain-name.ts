import { domainToASCII } from 'node:url';
import { isIP } from 'node:net';

/** RFC 1123, with at least one dot. */
const form = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters that would end the host of a URL, or that a URL parser would decode. */
const delimiter = /[\s/\\?#@:%[\]]/;
/** Maximum length of a domain name in characters, without a final dot. */
export const MAX_NAME_LENGTH = 253;
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
