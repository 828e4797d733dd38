import { z } from 'zod';
import { changeOf } from './change.js';
import {
  brandedDomain,
  DOMAIN_ID,
  domainChange,
  domainParams as params,
  domainRecord,
  domainView,
  newDomain,
  pendingDomain,
  verifiedDomain,
} from './domain-schemas.js';
import { deleted } from './fields.js';
import { route, type Route } from './route.js';

const section = 'Domains';
const path = '/api/v1/domains';
/** The look-up may take 5 s. */
const VERIFY_TIMEOUT_MS = 9_000;

export const domainRoutes: Route[] = [
  route({
    id: 'listDomains',
    method: 'GET',
    path,
    section,
    summary: 'List domains',
    description: 'All domains of the workspace, newest first; not paged.',
    request: {},
    success: {
      status: 200,
      description: 'All domains.',
      data: z.array(domainRecord),
      example: [verifiedDomain],
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
    description: 'Set its `dnsRecords` in your DNS, then verify it. It serves no links before.',
    request: { body: newDomain, bodyExample: { domain: 'go.example.com' } },
    success: { status: 201, description: 'The domain, pending.', data: domainRecord, example: pendingDomain },
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
    success: { status: 200, description: 'The domain.', data: domainRecord, example: verifiedDomain },
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
      'Sets what visitors get where there is no link to follow: a page with your brand, or a 302, which counts no click. Takes effect within one second.',
    request: { params, body: domainChange, bodyExample: { brandName: 'Toko Sari', rootUrl: 'https://example.com' } },
    success: { status: 200, description: 'The domain.', data: domainRecord, example: brandedDomain },
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
    description: 'It has to be free of links.',
    request: { params },
    success: {
      status: 200,
      description: 'It is gone.',
      data: deleted('dom'),
      example: { id: DOMAIN_ID, deleted: true },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'DOMAIN_IN_USE'],
    handle: async ({ params: { id } }, { clients, rpc }) => {
      await clients.domains.call('DeleteDomain', { id }, rpc());
      return { data: { id, deleted: true } };
    },
  }),
  route({
    id: 'verifyDomain',
    method: 'POST',
    path: `${path}/{id}/verify`,
    section,
    summary: 'Verify a domain',
    description:
      'Looks its DNS records up now, for 5 s at most, and answers what was found. The domain is `verified` when both hold, else `failed`. One that is verified is looked at daily, and stays so until its records have been wrong for 7 days. `DOMAIN_TAKEN` when another workspace verified it first.',
    timeoutMs: VERIFY_TIMEOUT_MS,
    request: { params },
    success: { status: 200, description: 'The domain.', data: domainRecord, example: verifiedDomain },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'DOMAIN_TAKEN'],
    handle: async ({ params: { id } }, { clients, rpc }) => ({
      data: domainView(await clients.domains.call('VerifyDomain', { id }, rpc())),
    }),
  }),
];
