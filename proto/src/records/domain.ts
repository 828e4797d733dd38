import { z } from 'zod';
import { choice, count, exampleId, flag, identifier, text, texts, time } from './fields.js';

export const domainStatuses = ['pending', 'verified', 'failed'] as const;
export type DomainStatus = (typeof domainStatuses)[number];
export const dnsRecordTypes = ['TXT', 'CNAME', 'A', 'AAAA'] as const;
export const dnsRecordPurposes = ['ownership', 'routing'] as const;

const dnsRecord = z.object({
  type: choice(dnsRecordTypes, 'Type of the record.', 'CNAME'),
  name: text('Name of the record.', 'go.example.com'),
  value: text('Required value.', 'links.example.net'),
  purpose: choice(dnsRecordPurposes, 'Whether the record proves ownership or routes traffic.', 'routing'),
  found: texts('Values found by the last check.', ['links.example.net']),
  ok: flag('Whether the record is correct.', true),
});

const fallbackUrl = (source: string) =>
  text(
    `URL to which ${source} redirects. It follows the rules of the \`url\` of a link. If null, a page is shown.`,
    'https://example.com',
  ).nullable();

/** The settings of the pages that a domain serves when no link redirects. */
export const domainPageFields = {
  brandName: text("Brand name on the domain's pages. If null, that of the installation.", 'Toko Sari').nullable(),
  brandLogoUrl: text(
    'Logo of the brand; https only. If null, that of the installation, or none if brandName is set.',
    'https://cdn.example.com/logo.svg',
  ).nullable(),
  brandColor: text(
    'Color of the brand. Text on it is black or white. If null, that of the installation.',
    '#b91c1c',
  ).nullable(),
  rootUrl: fallbackUrl('`/`'),
  notFoundUrl: fallbackUrl('an address without a link'),
  expiredUrl: fallbackUrl('an expired or archived link'),
};

export const domainRecord = z
  .object({
    id: identifier('dom', 'Id of the domain.'),
    domain: text('Host name.', 'go.example.com'),
    status: choice(domainStatuses, 'Only verified domains serve short links.', 'verified'),
    dnsRecords: z.array(dnsRecord).meta({
      description:
        'Required DNS records and the values found. At an apex, one of the A and AAAA records is enough, as long as the domain has no addresses other than those of the required records.',
    }),
    verifiedAt: time('Time of the verification; null if it never succeeded.').nullable(),
    lastCheckedAt: time('Time of the last check of the DNS records; null before the first.').nullable(),
    lastError: text(
      'Problem found by the last check; null if there was none.',
      'go.example.com has no CNAME record that points to links.example.net.',
    ).nullable(),
    linkCount: count('Number of links on this domain.', 3),
    createdAt: time('Time of creation.'),
    ...domainPageFields,
  })
  .meta({ id: 'Domain', description: 'A custom host name for short links.' });
export type DomainRecord = z.infer<typeof domainRecord>;

export const DOMAIN_ID = exampleId('dom');

/** Values of fields that events of earlier versions lack. */
export const addedDomainFields = {
  brandName: null,
  brandLogoUrl: null,
  brandColor: null,
  rootUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
} satisfies Partial<DomainRecord>;

/** A domain that was just added. */
export const domainExample: DomainRecord = {
  id: DOMAIN_ID,
  domain: 'go.example.com',
  status: 'pending',
  dnsRecords: [
    {
      type: 'TXT',
      name: '_tautan.go.example.com',
      value: 'tautan-verify=5c0ff1ce8a3b4d6e9f7a1b2c3d4e5f60',
      purpose: 'ownership',
      found: [],
      ok: false,
    },
    { type: 'CNAME', name: 'go.example.com', value: 'links.example.net', purpose: 'routing', found: [], ok: false },
  ],
  verifiedAt: null,
  lastCheckedAt: null,
  lastError: null,
  linkCount: 0,
  createdAt: '2029-04-01T08:00:00.000Z',
  ...addedDomainFields,
};

export const verifiedDomainExample: DomainRecord = {
  ...domainExample,
  status: 'verified',
  dnsRecords: domainExample.dnsRecords.map((record) => ({ ...record, found: [record.value], ok: true })),
  verifiedAt: '2029-04-01T08:10:00.000Z',
  lastCheckedAt: '2029-04-01T08:10:00.000Z',
};
