import type { DnsServer } from '@tautan/kit/testing';

/** A custom domain as returned by the API. */
export interface ApiDomain {
  id: string;
  domain: string;
  status: 'pending' | 'verified' | 'failed';
  dnsRecords: { type: string; name: string; value: string; purpose: string; found: string[]; ok: boolean }[];
  verifiedAt: string | null;
  lastCheckedAt: string | null;
  lastError: string | null;
  linkCount: number;
  createdAt: string;
  brandName: string | null;
  brandLogoUrl: string | null;
  brandColor: string | null;
  rootUrl: string | null;
  notFoundUrl: string | null;
  expiredUrl: string | null;
}

/** Sets the DNS records that a domain requires. */
export function pointDns(dns: DnsServer, { domain, dnsRecords }: ApiDomain): void {
  const [ownership, routing] = dnsRecords;
  dns.set(ownership!.name, { TXT: [ownership!.value] });
  dns.set(domain, { [routing!.type]: [routing!.value] });
}
