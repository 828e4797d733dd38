import { isIP } from 'node:net';
import type { EventData } from '@tautan/proto';
import type { CustomDomain, CheckResult } from './custom-domain.js';
import { isLocalName, OWNERSHIP_LABEL } from './domain-name.js';
import { isApex } from './public-suffix.js';

/** The target that custom domains must point to. */
export interface DomainTarget {
  /** Host name or address. */
  host: string;
  /** Its addresses, for domains that cannot have a CNAME; empty to resolve them. */
  addresses: string[];
}

/**
 * Results of a DNS lookup for a domain: the values of each record, or null if its lookup failed or was not made. A
 * check sets `cname` to an empty list if the domain cannot use a CNAME record.
 */
export interface DnsResult {
  /** Values of the ownership TXT record. */
  ownership: string[] | null;
  cname: string[] | null;
  a: string[] | null;
  aaaa: string[] | null;
  /**
   * The target's addresses. Also null if only some of the target's addresses are known, and the domain has an address
   * that is not among the known ones.
   */
  target: string[] | null;
}

export type DnsRecord = EventData<'domain.created'>['dnsRecords'][number];
type Domain = Pick<CustomDomain, 'name' | 'token'>;

export const ownershipName = (name: string): string => `${OWNERSHIP_LABEL}.${name}`;
export const ownershipValue = (token: string): string => `tautan-verify=${token}`;

/**
 * Returns whether a domain must use A or AAAA records: a CNAME is not possible at an apex, and cannot contain an
 * address.
 */
export const routesByAddress = (name: string, { host }: DomainTarget): boolean => isApex(name) || isIP(host) !== 0;

/** Maximum number of unexpected values that are stored per record, and maximum length of each in characters. */
const MAX_STORED_VALUES = 20;
const MAX_LENGTH = 255;

/** Returns the part of a lookup result to store: the expected values, and a bounded number of others. */
export function boundedResult({ token }: Pick<Domain, 'token'>, result: DnsResult, target: DomainTarget): DnsResult {
  const targetAddresses = addressesOf(result, target);
  const bounded = (values: string[] | null, expected: readonly string[]) => values && expectedFirst(values, expected);
  return {
    ownership: bounded(result.ownership, [ownershipValue(token)]),
    cname: bounded(result.cname, []),
    a: bounded(result.a, targetAddresses),
    aaaa: bounded(result.aaaa, targetAddresses),
    target: result.target,
  };
}

function expectedFirst(values: string[], expected: readonly string[]): string[] {
  const distinct = [...new Set(values)];
  const others = distinct.filter((value) => !expected.includes(value)).slice(0, MAX_STORED_VALUES);
  return [
    ...distinct.filter((value) => expected.includes(value)),
    ...others.map((value) => value.slice(0, MAX_LENGTH)),
  ];
}

/** Returns the records that a domain needs, with the values found at the last check. */
export function dnsRecords(domain: Domain, result: DnsResult | null, target: DomainTarget): DnsRecord[] {
  const { name } = domain;
  const value = ownershipValue(domain.token);
  const found = result?.ownership ?? [];
  const ok = found.includes(value);
  return [
    { type: 'TXT', name: ownershipName(name), value, purpose: 'ownership', found, ok },
    ...routingRecords(name, result, target),
  ];
}

function routingRecords(name: string, result: DnsResult | null, target: DomainTarget): DnsRecord[] {
  const purpose = 'routing';
  const targetAddresses = addressesOf(result, target);
  if (!routesByAddress(name, target)) {
    const found = result?.cname?.length ? result.cname : foundAddresses(result);
    return [{ type: 'CNAME', name, value: target.host, purpose, found, ok: pointsToTarget(result, target) }];
  }
  // The target's addresses are unknown. A CNAME needs none of them, and some DNS providers flatten it at an apex.
  if (targetAddresses.length === 0)
    return [{ type: 'CNAME', name, value: target.host, purpose, found: foundAddresses(result), ok: false }];
  const leadsToTarget = pointsToTarget(result, target);
  return targetAddresses.map((value) => {
    const type = isIP(value) === 6 ? 'AAAA' : 'A';
    const found = (type === 'A' ? result?.a : result?.aaaa) ?? [];
    return { type, name, value, purpose, found, ok: leadsToTarget && found.includes(value) };
  });
}

const foundAddresses = (result: DnsResult | null): string[] => [...(result?.a ?? []), ...(result?.aaaa ?? [])];

const addressesOf = (result: DnsResult | null, { addresses }: DomainTarget): string[] =>
  addresses.length > 0 ? addresses : (result?.target ?? []);

/** Returns whether all traffic goes to the target: by a CNAME, or by addresses that all belong to the target. */
function pointsToTarget(result: DnsResult | null, target: DomainTarget): boolean {
  if (result?.cname?.some((name) => name.toLowerCase().replace(/\.$/, '') === target.host)) return true;
  if (!result?.a || !result.aaaa) return false;
  const targetAddresses = addressesOf(result, target);
  const found = foundAddresses(result);
  return found.length > 0 && found.every((address) => targetAddresses.includes(address));
}

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Returns a simulated lookup result for a domain under .localhost. Such names resolve to the visitor's own machine, so
 * ownership need not be proven. Returns undefined for other domains, or if `allowLocal` is false.
 */
export function localResult(
  { name, token }: Domain,
  { target, allowLocal }: { target: DomainTarget; allowLocal: boolean },
): DnsResult | undefined {
  if (!allowLocal || !isLocalName(name)) return undefined;
  const targetAddresses = target.addresses.length > 0 ? target.addresses : LOOPBACK;
  return {
    ownership: [ownershipValue(token)],
    cname: [],
    a: targetAddresses.filter((address) => isIP(address) === 4),
    aaaa: targetAddresses.filter((address) => isIP(address) === 6),
    target: targetAddresses,
  };
}

/**
 * Evaluates a lookup result. The outcome is `right` if both the ownership and the routing record are correct, `wrong`
 * if a response shows that one of them is not, and `unknown` otherwise.
 */
export function evaluateRecords(domain: Domain, result: DnsResult, target: DomainTarget): CheckResult {
  const { name, token } = domain;
  const owned = result.ownership?.includes(ownershipValue(token)) ?? false;
  const routed = pointsToTarget(result, target);
  if (owned && routed) return { outcome: 'right', error: null };
  const missing: string[] = [];
  const unanswered: string[] = [];
  if (!owned) {
    (result.ownership ? missing : unanswered).push(
      `${ownershipName(name)} has no TXT record with the value ${ownershipValue(token)}.`,
    );
  }
  if (!routed) (isConclusive(result) ? missing : unanswered).push(routingError(name, result, target));
  if (missing.length > 0) return { outcome: 'wrong', error: missing.join(' ') };
  const recordName = unanswered.length === 2 || owned ? name : ownershipName(name);
  return { outcome: 'unknown', error: `The DNS lookup failed for ${recordName}.` };
}

/**
 * Returns whether every lookup that the routing result depends on got a response. If the domain has no addresses, the
 * routing result does not depend on the target's addresses.
 */
const isConclusive = (result: DnsResult): boolean =>
  ![result.cname, result.a, result.aaaa].includes(null) &&
  (result.target !== null || foundAddresses(result).length === 0);

function routingError(name: string, result: DnsResult, target: DomainTarget): string {
  if (!routesByAddress(name, target)) return `${name} has no CNAME record that points to ${target.host}.`;
  const targetAddresses = addressesOf(result, target);
  if (targetAddresses.length === 0) return `${target.host}, the target of ${name}, has no address.`;
  return `The A and AAAA records of ${name} must only contain ${targetAddresses.join(', ')}.`;
}
