import { fail } from '@tautan/kit';
import { isLocalName, MAX_NAME_LENGTH, OWNERSHIP_LABEL, parseDomainName } from './domain-name.js';
import { isPrivateHost } from './host.js';
import { isPublicSuffix } from './public-suffix.js';

/**
 * Returns the name of a domain that a workspace may add. Throws VALIDATION_ERROR naming `domain` if the text is not a
 * host name, is an IP address, has a port or a path, is a public suffix (including those of private registries),
 * belongs to a private network, is one of this service's own host names (`own`), or is too long for its ownership
 * record. `allowLocal` accepts names under .localhost.
 */
export function checkDomainName(text: string, own: ReadonlySet<string>, allowLocal = false): string {
  const name = parseDomainName(text);
  if (name === undefined) throw refuse('domain must be a host name, such as go.example.com.');
  if (own.has(name)) throw refuse('domain must not be a host name of this service.');
  if (isPrivateHost(name) && !(allowLocal && isLocalName(name))) throw refuse('domain must be a public host name.');
  if (isPublicSuffix(name)) throw refuse('domain must not be a public suffix.');
  if (OWNERSHIP_LABEL.length + 1 + name.length > MAX_NAME_LENGTH) {
    throw refuse(`domain must have at most ${MAX_NAME_LENGTH - OWNERSHIP_LABEL.length - 1} characters.`);
  }
  return name;
}

const refuse = (message: string): Error => fail('VALIDATION_ERROR', message, 'domain');
