import type { DnsServer } from '@tautan/kit/testing';
import type { DomainRecord } from '@tautan/proto';

export type ApiDomain = DomainRecord;

/** Sets the DNS records that a domain requires. */
export function pointDns(dns: DnsServer, { domain, dnsRecords }: ApiDomain): void {
  const [ownership, routing] = dnsRecords;
  dns.set(ownership!.name, { TXT: [ownership!.value] });
  dns.set(domain, { [routing!.type]: [routing!.value] });
}
