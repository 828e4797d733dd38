import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { EventData } from '@tautan/proto';
import type { CustomDomain, Verdict } from './custom-domain.js';
import { isApex, isLocalName, OWNERSHIP_LABEL } from './domain-name.js';

/** Where the traffic of custom domains has to go. */
export interface DomainTarget {
  /** Host name or address that they point to. */
  host: string;
  /** Its addresses, for domains that cannot have a CNAME; empty: those that it resolves to. */
  addresses: string[];
}

/** What name servers said of a domain: values, none, or null where there was no answer. */
export interface DnsLook {
  /** TXT of the ownership name. */
  ownership: string[] | null;
  cname: string[] | null;
  a: string[] | null;
  aaaa: string[] | null;
  /** The target's addresses. */
  target: string[] | null;
}

export type DnsRecord = EventData<'domain.created'>['dnsRecords'][number];
type Domain = Pick<CustomDomain, 'name' | 'token'>;

export const ownershipName = (name: string): string => `${OWNERSHIP_LABEL}.${name}`;
export const ownershipValue = (token: string): string => `tautan-verify=${token}`;

/** Whether a domain routes by addresses alone: a CNAME cannot stand at an apex, nor name an address. */
export const routesByAddress = (name: string, { host }: DomainTarget): boolean => isApex(name) || isIP(host) !== 0;

/** One way to write an address (RFC 5952), so that two can be compared. */
export const plainAddress = (text: string): string => (ipaddr.isValid(text) ? ipaddr.parse(text).toString() : text);

/** Maximum number of unexpected values of a record that are kept, and of characters of each. */
const MAX_KEPT = 20;
const MAX_LENGTH = 255;

/** Returns the part of a look that is kept: whatever decides, and a bounded number of other values. */
export function keptLook({ token }: Pick<Domain, 'token'>, look: DnsLook, target: DomainTarget): DnsLook {
  const own = addressesOf(look, target);
  const bounded = (values: string[] | null, expected: readonly string[]) => values && expectedFirst(values, expected);
  return {
    ownership: bounded(look.ownership, [ownershipValue(token)]),
    cname: bounded(look.cname, []),
    a: bounded(look.a, own),
    aaaa: bounded(look.aaaa, own),
    target: look.target,
  };
}

function expectedFirst(values: string[], expected: readonly string[]): string[] {
  const distinct = [...new Set(values)];
  const others = distinct.filter((value) => !expected.includes(value)).slice(0, MAX_KEPT);
  return [
    ...distinct.filter((value) => expected.includes(value)),
    ...others.map((value) => value.slice(0, MAX_LENGTH)),
  ];
}

/** The records that a domain needs, with what was found at the last look. */
export function dnsRecords(domain: Domain, look: DnsLook | null, target: DomainTarget): DnsRecord[] {
  const { name } = domain;
  const value = ownershipValue(domain.token);
  const found = look?.ownership ?? [];
  const ok = found.includes(value);
  return [
    { type: 'TXT', name: ownershipName(name), value, purpose: 'ownership', found, ok },
    ...routingRecords(name, look, target),
  ];
}

function routingRecords(name: string, look: DnsLook | null, target: DomainTarget): DnsRecord[] {
  const purpose = 'routing';
  const own = addressesOf(look, target);
  if (!routesByAddress(name, target)) {
    const found = look?.cname?.length ? look.cname : foundAddresses(look);
    return [{ type: 'CNAME', name, value: target.host, purpose, found, ok: leadsHere(look, target) }];
  }
  // The target's addresses are not known: a CNAME that the provider flattens leads to them, whatever they are.
  if (own.length === 0)
    return [{ type: 'CNAME', name, value: target.host, purpose, found: foundAddresses(look), ok: false }];
  const here = leadsHere(look, target);
  return own.map((value) => {
    const type = isIP(value) === 6 ? 'AAAA' : 'A';
    const found = (type === 'A' ? look?.a : look?.aaaa) ?? [];
    return { type, name, value, purpose, found, ok: here && found.includes(value) };
  });
}

const foundAddresses = (look: DnsLook | null): string[] => [...(look?.a ?? []), ...(look?.aaaa ?? [])];

const addressesOf = (look: DnsLook | null, { addresses }: DomainTarget): string[] =>
  addresses.length > 0 ? addresses : (look?.target ?? []);

/** Whether all traffic goes to the target: by a CNAME, or by addresses all of which are the target's. */
function leadsHere(look: DnsLook | null, target: DomainTarget): boolean {
  if (look?.cname?.some((name) => name.toLowerCase().replace(/\.$/, '') === target.host)) return true;
  if (!look?.a || !look.aaaa) return false;
  const own = addressesOf(look, target);
  const found = foundAddresses(look);
  return found.length > 0 && found.every((address) => own.includes(address));
}

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Returns what stands for a look at a domain under .localhost, or undefined for other domains and unless `allowLocal`: such a name
 * leads to the visitor's own machine, so that nobody has to prove it.
 */
export function localLook(
  { name, token }: Domain,
  { target, allowLocal }: { target: DomainTarget; allowLocal: boolean },
): DnsLook | undefined {
  if (!allowLocal || !isLocalName(name)) return undefined;
  const own = target.addresses.length > 0 ? target.addresses : LOOPBACK;
  return {
    ownership: [ownershipValue(token)],
    cname: [],
    a: own.filter((address) => isIP(address) === 4),
    aaaa: own.filter((address) => isIP(address) === 6),
    target: own,
  };
}

/** Judges a look: right when both the ownership and the routing record hold. */
export function judge(domain: Domain, look: DnsLook, target: DomainTarget): Verdict {
  const { name, token } = domain;
  const owned = look.ownership?.includes(ownershipValue(token)) ?? false;
  const routed = leadsHere(look, target);
  if (owned && routed) return { outcome: 'right', error: null };
  const missing: string[] = [];
  const silent: string[] = [];
  if (!owned) {
    (look.ownership ? missing : silent).push(`${ownershipName(name)} has no TXT record ${ownershipValue(token)}.`);
  }
  if (!routed) (isAnswered(look) ? missing : silent).push(routingError(name, look, target));
  if (missing.length > 0) return { outcome: 'wrong', error: missing.join(' ') };
  const of = silent.length === 2 || owned ? name : ownershipName(name);
  return { outcome: 'unknown', error: `The name servers gave no answer about ${of}.` };
}

/** Whether nothing that was not answered could make the routing right: without addresses, the target's do not matter. */
const isAnswered = (look: DnsLook): boolean =>
  ![look.cname, look.a, look.aaaa].includes(null) && (look.target !== null || foundAddresses(look).length === 0);

function routingError(name: string, look: DnsLook, target: DomainTarget): string {
  if (!routesByAddress(name, target)) return `${name} has no CNAME record ${target.host}.`;
  const own = addressesOf(look, target);
  if (own.length === 0) return `${target.host}, which ${name} has to point to, has no address.`;
  return `${name} must have A or AAAA records of no other addresses than ${own.join(', ')}.`;
}
