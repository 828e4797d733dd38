import type { ResponseOut } from '@tautan/kit/rpc';
import { startDnsServer, type DnsServer } from '@tautan/kit/testing';
import type { DomainsDefinition } from '@tautan/proto';
import type { Route } from '../redirects/domain/route.js';
import { startService, type Caller, type TestService } from './service.js';

type Domain = ResponseOut<DomainsDefinition, 'AddDomain'>;

/**
 * The link service in the api role, with a name server controlled by the test. Custom domains must point to
 * links.example.net.
 */
export interface DomainFixture {
  dns: DnsServer;
  service: TestService;
  /** Adds a domain, with a new name by default. */
  add(caller: Caller, name?: string): Promise<Domain>;
  /** Sets the two DNS records that a domain needs. */
  setDnsRecords(domain: Domain): void;
  /** Adds a domain, sets its records and verifies it. */
  aVerifiedDomain(caller: Caller, name?: string): Promise<Domain>;
  /** Returns a domain's entry in the routing table. */
  entryOf(name: string): Promise<Route | null>;
  stop(): Promise<void>;
}

const TARGET = 'links.example.net';

export async function startDomainFixture(): Promise<DomainFixture> {
  const dns = await startDnsServer();
  const service = await startService({ DNS_SERVERS: dns.address, DOMAIN_TARGET: TARGET });
  let names = 0;
  const fixture: DomainFixture = {
    dns,
    service,
    add: ({ domains }, name = `links${(names += 1)}.customer.example`) => domains('AddDomain', { domain: name }),
    setDnsRecords: ({ domain, dnsRecords }) => {
      const { name, value } = dnsRecords.find(({ type }) => type === 'TXT')!;
      dns.set(name, { TXT: ['v=spf1 -all', value] });
      dns.set(domain, { CNAME: [TARGET] });
    },
    aVerifiedDomain: async (caller, name) => {
      const domain = await fixture.add(caller, name);
      fixture.setDnsRecords(domain);
      const verified = await caller.domains('VerifyDomain', { id: domain.id });
      if (verified.status !== 'verified') throw new Error(`not verified: ${verified.lastError}`);
      return verified;
    },
    entryOf: (name) => service.models.routes.findById(`${name}/`).lean(),
    stop: async () => {
      await service.stop();
      await dns.stop();
    },
  };
  return fixture;
}
