import { deletedOf, deletedRecord, DOMAIN_ID, domainExample, domainRecord, verifiedDomainExample } from '@tautan/proto';
import { z } from 'zod';
import { changeOf } from './change.js';
import { domainChange, domainParams as params, newDomain } from './domain-schemas.js';
import { domainView } from './domain-view.js';
import { route, type Route } from './route.js';

const section = 'Domains';
const path = '/api/v1/domains';
/** The DNS lookups take up to 5 s. */
const VERIFY_TIMEOUT_MS = 9_000;

const brandedExample = { ...verifiedDomainExample, brandName: 'Toko Sari', rootUrl: 'https://example.com/' };

export const domainRoutes: Route[] = [
  route({
    id: 'listDomains',
    method: 'GET',
    path,
    section,
    summary: 'List domains',
    description: 'Returns all domains of the workspace, newest first, without pagination.',
    request: {},
    success: {
      status: 200,
      description: 'All domains.',
      data: z.array(domainRecord),
      example: [verifiedDomainExample],
      paged: 'whole',
    },
    errors: [],
    handle: async (_request, { clients, rpc }) => {
      const { domains } = await clients.domains.call('ListDomains', {}, rpc());
      return { data: domains.map(domainView) };
    },
  }),
  route({
    id: 'addDomain',
    method: 'POST',
    path,
    section,
    summary: 'Add a domain',
    description:
      'Add the returned `dnsRecords` to your DNS, then verify the domain. It serves links once it is verified.',
    request: { body: newDomain, bodyExample: { domain: 'go.example.com' } },
    success: { status: 201, description: 'The pending domain.', data: domainRecord, example: domainExample },
    errors: ['DOMAIN_TAKEN', 'PLAN_LIMIT_EXCEEDED'],
    handle: async ({ body }, { clients, rpc, operation }) => ({
      data: domainView(await clients.domains.call('AddDomain', { ...body, ...operation }, rpc())),
    }),
  }),
  route({
    id: 'getDomain',
    method: 'GET',
    path: `${path}/{id}`,
    section,
    summary: 'Get a domain',
    request: { params },
    success: { status: 200, description: 'The domain.', data: domainRecord, example: verifiedDomainExample },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc }) => ({
      data: domainView(await clients.domains.call('GetDomain', { id }, rpc())),
    }),
  }),
  route({
    id: 'updateDomain',
    method: 'PATCH',
    path: `${path}/{id}`,
    section,
    summary: 'Update a domain',
    description:
      'Sets the response to visits to the domain that match no active link: a page with your brand, or a redirect (302), which is not counted as a click. Takes effect within one second.',
    request: { params, body: domainChange, bodyExample: { brandName: 'Toko Sari', rootUrl: 'https://example.com' } },
    success: { status: 200, description: 'The domain.', data: domainRecord, example: brandedExample },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ params: { id }, body }, { clients, rpc }) => ({
      data: domainView(await clients.domains.call('UpdateDomain', { id, ...changeOf(body) }, rpc())),
    }),
  }),
  route({
    id: 'deleteDomain',
    method: 'DELETE',
    path: `${path}/{id}`,
    section,
    summary: 'Remove a domain',
    description: 'A domain with links cannot be removed (`DOMAIN_IN_USE`).',
    request: { params },
    success: {
      status: 200,
      description: 'The domain was removed.',
      data: deletedRecord('dom'),
      example: deletedOf(DOMAIN_ID),
    },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'DOMAIN_IN_USE'],
    handle: async ({ params: { id } }, { clients, rpc }) => {
      await clients.domains.call('DeleteDomain', { id }, rpc());
      return { data: deletedOf(id) };
    },
  }),
  route({
    id: 'verifyDomain',
    method: 'POST',
    path: `${path}/{id}/verify`,
    section,
    summary: 'Verify a domain',
    description:
      'Checks the DNS records of the domain, for 5 seconds at most, and returns what was found. An unverified domain becomes `verified` if its ownership record is correct and the domain points to this service, and `failed` otherwise. A verified domain is checked daily and stays verified until its records have been incorrect for 7 days. If another workspace has verified the domain, the response is `DOMAIN_TAKEN`.',
    timeoutMs: VERIFY_TIMEOUT_MS,
    request: { params },
    success: { status: 200, description: 'The domain.', data: domainRecord, example: verifiedDomainExample },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'DOMAIN_TAKEN'],
    handle: async ({ params: { id } }, { clients, rpc }) => ({
      data: domainView(await clients.domains.call('VerifyDomain', { id }, rpc())),
    }),
  }),
];
