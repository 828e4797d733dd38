import type { DomainMessage } from '@tautan/proto';
import { z } from 'zod';
import { count, identifier, pathId, text, time } from './fields.js';

export const DOMAIN_ID = 'dom_01jd3x8q4v5w6y7z8a9b0c1d2e';

export const newDomain = z.strictObject({
  domain: text(253, 1).meta({
    description:
      'A host name, no public suffix and none of this service; international ones are kept in punycode, all in lower case.',
    examples: ['go.example.com'],
  }),
});

const fallbackUrl = (from: string) => ({
  description: `Where ${from} redirects, by the rules of a link's \`url\`. Null: a page is shown.`,
  examples: ['https://example.com'],
});

const pageFields = {
  brandName: { description: "Brand of the domain's pages. Null: the installation's.", examples: ['Toko Sari'] },
  brandLogoUrl: {
    description: 'Logo of the brand; https only. Null: none.',
    examples: ['https://cdn.example.com/logo.svg'],
  },
  brandColor: {
    description: 'Colour of the brand; text on it is black or white. Null: as the installation.',
    examples: ['#b91c1c'],
  },
  rootUrl: fallbackUrl('`/`'),
  notFoundUrl: fallbackUrl('an address without a link'),
  expiredUrl: fallbackUrl('an ended link'),
};

export const domainChange = z.strictObject({
  brandName: text(60, 1).nullable().optional().meta(pageFields.brandName),
  brandLogoUrl: text(2_048, 1).nullable().optional().meta(pageFields.brandLogoUrl),
  brandColor: text(7, 1).nullable().optional().meta(pageFields.brandColor),
  rootUrl: text(2_048, 1).nullable().optional().meta(pageFields.rootUrl),
  notFoundUrl: text(2_048, 1).nullable().optional().meta(pageFields.notFoundUrl),
  expiredUrl: text(2_048, 1).nullable().optional().meta(pageFields.expiredUrl),
});

export const domainParams = z.object({ id: pathId('Id of the domain.', DOMAIN_ID) });

const shown = (description: string, example: string) => z.string().meta({ description, examples: [example] });

const dnsRecord = z.object({
  type: z.enum(['TXT', 'CNAME', 'A', 'AAAA']).meta({ description: 'Type of the record.', examples: ['CNAME'] }),
  name: shown('Where it stands.', 'go.example.com'),
  value: shown('What it must say.', 'links.example.net'),
  purpose: z.enum(['ownership', 'routing']).meta({ description: 'What it proves or does.', examples: ['routing'] }),
  found: z
    .array(z.string())
    .meta({ description: 'What was found there at the last look.', examples: [['links.example.net']] }),
  ok: z.boolean().meta({ description: 'Whether that is right.', examples: [true] }),
});

export const domainRecord = z
  .object({
    id: identifier('dom', 'Id of the domain.'),
    domain: shown('Its host name.', 'go.example.com'),
    status: z
      .enum(['pending', 'verified', 'failed'])
      .meta({ description: 'Verified ones serve short links.', examples: ['verified'] }),
    dnsRecords: z.array(dnsRecord).meta({
      description:
        'The records that it needs, and what was found. At an apex one of the addresses is enough, as long as there are no others.',
    }),
    verifiedAt: time('When it was verified; null before.').nullable(),
    lastCheckedAt: time('When its records were looked up last; null before the first time.').nullable(),
    lastError: shown(
      'What the last look missed; null where all was right.',
      'go.example.com has no CNAME record links.example.net.',
    ).nullable(),
    linkCount: count('Links under it.', 3),
    createdAt: time('When it was added.'),
    brandName: z.string().nullable().meta(pageFields.brandName),
    brandLogoUrl: z.string().nullable().meta(pageFields.brandLogoUrl),
    brandColor: z.string().nullable().meta(pageFields.brandColor),
    rootUrl: z.string().nullable().meta(pageFields.rootUrl),
    notFoundUrl: z.string().nullable().meta(pageFields.notFoundUrl),
    expiredUrl: z.string().nullable().meta(pageFields.expiredUrl),
  })
  .meta({ id: 'Domain', description: "A workspace's own host name for short links." });
export type DomainRecord = z.infer<typeof domainRecord>;

export const pendingDomain: DomainRecord = {
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
  brandName: null,
  brandLogoUrl: null,
  brandColor: null,
  rootUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
};

export const verifiedDomain: DomainRecord = {
  ...pendingDomain,
  status: 'verified',
  dnsRecords: pendingDomain.dnsRecords.map((record) => ({ ...record, found: [record.value], ok: true })),
  verifiedAt: '2029-04-01T08:10:00.000Z',
  lastCheckedAt: '2029-04-01T08:10:00.000Z',
};

export const brandedDomain: DomainRecord = {
  ...verifiedDomain,
  brandName: 'Toko Sari',
  rootUrl: 'https://example.com/',
};

/** A domain as the API shows it. */
export function domainView(domain: DomainMessage): DomainRecord {
  return {
    id: domain.id,
    domain: domain.domain,
    status: domain.status as DomainRecord['status'],
    dnsRecords: domain.dnsRecords.map(({ type, name, value, purpose, found, ok }) => ({
      type: type as DomainRecord['dnsRecords'][number]['type'],
      name,
      value,
      purpose: purpose as DomainRecord['dnsRecords'][number]['purpose'],
      found,
      ok,
    })),
    verifiedAt: domain.verifiedAt ?? null,
    lastCheckedAt: domain.lastCheckedAt ?? null,
    lastError: domain.lastError ?? null,
    linkCount: domain.linkCount,
    createdAt: domain.createdAt,
    brandName: domain.brandName ?? null,
    brandLogoUrl: domain.brandLogoUrl ?? null,
    brandColor: domain.brandColor ?? null,
    rootUrl: domain.rootUrl ?? null,
    notFoundUrl: domain.notFoundUrl ?? null,
    expiredUrl: domain.expiredUrl ?? null,
  };
}
