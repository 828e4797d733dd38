import { getDomain, getPublicSuffix } from 'tldts';

// The `redirect` role does not load this module, because the list of public suffixes takes 9 MB.
const withPrivateRegistries = { allowPrivateDomains: true };

/** Returns whether a domain name is a public suffix, including those of private registries (publicsuffix.org). */
export const isPublicSuffix = (name: string): boolean => getPublicSuffix(name, withPrivateRegistries) === name;

/** Returns whether a domain is an apex, where a CNAME is not allowed (RFC 1034, section 3.6.2). */
export const isApex = (name: string): boolean => getDomain(name, withPrivateRegistries) === name;
