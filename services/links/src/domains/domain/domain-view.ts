import type { EventData } from '@tautan/proto';
import type { CustomDomain } from './custom-domain.js';
import { dnsRecords, type DomainTarget } from './dns-records.js';
import { noPages } from './domain-pages.js';

/** A domain as returned by the API. */
export type DomainView = EventData<'domain.created'>;

/** Returns a domain as the API represents it. `target` is where the routing record must point. */
export function domainView(domain: CustomDomain, target: DomainTarget): DomainView {
  return {
    id: domain._id,
    domain: domain.name,
    status: domain.status,
    dnsRecords: dnsRecords(domain, domain.lastLookup, target),
    verifiedAt: domain.verifiedAt?.toISOString() ?? null,
    lastCheckedAt: domain.lastCheckedAt?.toISOString() ?? null,
    lastError: domain.lastError,
    linkCount: domain.linkCount,
    createdAt: domain.createdAt.toISOString(),
    ...noPages,
    ...domain.pages,
  };
}

/** Returns the `target` of an event about a domain. */
export const domainEventTarget = ({ _id, name }: CustomDomain) => ({ type: 'domain', id: _id, label: name });
