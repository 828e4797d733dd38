import type { Handlers } from '@tautan/kit/rpc';
import type { DomainMessage, DomainsDefinition } from '@tautan/proto';
import { NOW } from './people.js';

/** A domain as returned by the link service. */
export const aDomain = (overrides: Partial<DomainMessage> = {}): DomainMessage => ({
  id: 'dom_01jd3x8q4v5w6y7z8a9b0c1d2e',
  domain: 'go.example.com',
  status: 'pending',
  dnsRecords: [
    {
      type: 'TXT',
      name: '_tautan.go.example.com',
      value: 'tautan-verify=x',
      purpose: 'ownership',
      found: [],
      ok: false,
    },
  ],
  linkCount: 0,
  createdAt: NOW,
  ...overrides,
});

export const domains = (): Handlers<DomainsDefinition> => ({
  ListDomains: async () => ({
    domains: [aDomain({ status: 'verified', verifiedAt: NOW, lastCheckedAt: NOW }), aDomain()],
  }),
  AddDomain: async (_call, { domain }) => aDomain({ domain }),
  GetDomain: async (_call, { id }) => aDomain({ id }),
  UpdateDomain: async (_call, { id, clear: _, ...fields }) => aDomain({ id, ...fields }),
  VerifyDomain: async (_call, { id }) => aDomain({ id, status: 'failed', lastCheckedAt: NOW, lastError: 'No.' }),
  DeleteDomain: async (_call, { id }) => ({ id }),
});
