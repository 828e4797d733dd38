import { z } from 'zod';
import {
  identifier,
  lines,
  moment,
  optionalField,
  pageCursor,
  pageSize,
  pathId,
  term,
  text,
  time,
  timeBound,
} from './fields.js';

export const LINK_ID = 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e';
export const statuses = z.enum(['active', 'expired', 'archived']);

export const url = text(2_048, 1, 'must be a valid http(s) URL of at most 2,048 characters').meta({
  description:
    'Destination: an absolute http(s) URL without credentials, not a host of this service, at most 2,048 characters. International host names are stored as punycode.',
  examples: ['https://example.com/spring?utm_source=mail'],
});
const slug = text(64, 1).meta({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description:
    'The short path: 1–64 of A–Z, a–z, 0–9, _ and -, unique per domain whatever its case, kept as typed. Generated when absent.',
  examples: ['spring-sale'],
});
export const title = text(200).meta({
  description: 'A title for people, at most 200 characters.',
  examples: ['Spring sale'],
});
const description = lines(500).meta({
  description: 'Notes for people, at most 500 characters. Line breaks are allowed; CRLF is stored as LF.',
  examples: ['Linked from the April newsletter'],
});
export const tagNames = z
  .array(text(50, 1))
  .max(20)
  .meta({
    description: 'At most 20 tag names of 1–50 characters, trimmed; tags that are missing are created.',
    examples: [['newsletter', 'spring']],
  });
const expiresAt = moment.meta({
  description: 'When the link stops redirecting: a moment in the future, ISO 8601 with any offset.',
  examples: ['2030-01-31T12:00:00+07:00'],
});
const maxClicks = z
  .number()
  .int()
  .min(1)
  .max(1_000_000_000)
  .meta({ description: 'After so many clicks by people the link stops redirecting.', examples: [500] });
const domain = text(253, 1).meta({
  description: 'Name of a verified custom domain; the default domain when absent.',
  examples: ['go.example.com'],
});

/** Body of POST /links. */
export const newLink = z.strictObject({
  url,
  slug: optionalField(slug),
  domain: optionalField(domain),
  title: optionalField(title),
  description: optionalField(description),
  tags: optionalField(tagNames),
  expiresAt: optionalField(expiresAt),
  maxClicks: optionalField(maxClicks),
});

/** Body of PATCH /links/{id}. */
export const linkChange = z.strictObject({
  url: url.optional(),
  slug: slug.optional(),
  title: title.nullable().optional(),
  description: description.nullable().optional(),
  tags: tagNames.nullable().optional(),
  expiresAt: expiresAt.nullable().optional(),
  maxClicks: maxClicks.nullable().optional(),
  status: statuses
    .optional()
    .meta({ description: '`archived` stops the redirect, `active` resumes it.', examples: ['archived'] }),
});

/** A link as it is answered; unset optional fields are null. */
export const linkRecord = z
  .object({
    id: identifier('lnk', 'Id of the link.'),
    slug: z.string().meta({ description: 'The short path, as typed.', examples: ['spring-sale'] }),
    domain: z
      .string()
      .nullable()
      .meta({ description: 'Custom domain; null for the default one.', examples: [null] }),
    shortUrl: z
      .string()
      .meta({ description: 'The address to share.', examples: ['https://tautan.example/spring-sale'] }),
    url: z.string().meta({ description: 'Destination.', examples: ['https://example.com/spring?utm_source=mail'] }),
    title: z
      .string()
      .nullable()
      .meta({ description: 'A title for people.', examples: ['Spring sale'] }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Notes for people.', examples: [null] }),
    tags: z.array(z.string()).meta({ description: 'Names of the tags, sorted.', examples: [['newsletter', 'spring']] }),
    status: statuses.meta({ description: 'Only an active link redirects; others answer 410.', examples: ['active'] }),
    expiresAt: time('When it stops redirecting.').nullable(),
    maxClicks: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Limit of clicks by people.', examples: [500] }),
    clickCount: z
      .number()
      .int()
      .meta({ description: 'Clicks by people; bots are not counted.', examples: [42] }),
    lastClickAt: time('When a person clicked last.').nullable(),
    qrCodeCount: z
      .number()
      .int()
      .meta({ description: 'QR codes that follow this link.', examples: [0] }),
    createdBy: z
      .object({
        type: z.enum(['user', 'api_key']).meta({ description: 'Kind of the maker.', examples: ['api_key'] }),
        id: identifier('key', 'Id of the user or key.'),
      })
      .meta({ description: 'Who made it.' }),
    createdAt: time('When it was made.'),
    updatedAt: time('When it was changed last.'),
  })
  .meta({ id: 'Link', description: 'A short link.' });

export type LinkRecord = z.infer<typeof linkRecord>;

export const linkExample: LinkRecord = {
  id: LINK_ID,
  slug: 'spring-sale',
  domain: null,
  shortUrl: 'https://tautan.example/spring-sale',
  url: 'https://example.com/spring?utm_source=mail',
  title: 'Spring sale',
  description: null,
  tags: ['newsletter', 'spring'],
  status: 'active',
  expiresAt: '2030-01-31T05:00:00.000Z',
  maxClicks: null,
  clickCount: 42,
  lastClickAt: '2029-04-03T09:12:44.120Z',
  qrCodeCount: 0,
  createdBy: { type: 'api_key', id: 'key_01jd3x8q4v5w6y7z8a9b0c1d2e' },
  createdAt: '2029-04-01T08:00:00.000Z',
  updatedAt: '2029-04-01T08:00:00.000Z',
};

const importFields = newLink.extend({
  status: optionalField(
    statuses.meta({
      description: '`active` when absent. Only an active link needs an `expiresAt` in the future.',
      examples: ['archived'],
    }),
  ),
  createdAt: optionalField(
    moment.meta({
      description: 'When the link was created, where it comes from an export or another service.',
      examples: ['2024-05-01T08:00:00Z'],
    }),
  ),
});

type ReadOnly = Exclude<keyof LinkRecord, keyof typeof importFields.shape>;
const readOnlyFields = Object.keys(linkRecord.shape).filter((field) => !(field in importFields.shape)) as ReadOnly[];
const ignored = (field: ReadOnly) =>
  z
    .unknown()
    .optional()
    .meta({ description: 'Ignored: a read-only field of an exported link.', examples: [linkExample[field]] });

/** One item of an import; each is judged on its own. An exported link is one, too: null means absent. */
export const importItem = importFields.extend(
  Object.fromEntries(readOnlyFields.map((field) => [field, ignored(field)])) as Record<
    ReadOnly,
    ReturnType<typeof ignored>
  >,
);

/** Query of GET /links. */
export const linkQuery = z.object({
  q: text(200)
    .optional()
    .meta({
      description:
        'Words that must all occur, in whatever case and Unicode composition, in slug, title, description or url; or the short URL, with or without its scheme. A url is found in its stored form and with its Unicode host name and decoded path. At most 200 characters. A search looks at up to 100,000 links per request: when it reaches that bound the page is short, perhaps empty, with `hasMore` true: go on with the cursor.',
      examples: ['spring mail'],
    }),
  tag: z
    .array(term(100))
    .max(20)
    .optional()
    .meta({ description: 'Name or id of a tag; repeated, all of them must be carried.', examples: [['newsletter']] }),
  status: statuses.optional().meta({ description: 'Only links of this status.', examples: ['active'] }),
  domain: term(253)
    .optional()
    .meta({
      description: 'Only links on this custom domain; `default` for those on the default domain.',
      examples: ['go.example.com'],
    }),
  createdBy: term(64)
    .optional()
    .meta({
      description: 'Only links that this user or API key created, by id.',
      examples: ['usr_01jd3x8q4v5w6y7z8a9b0c1d2e'],
    }),
  createdFrom: timeBound('Only links created at this time or later.'),
  createdTo: timeBound('Only links created at this time or earlier; a date includes its whole day.'),
  sort: z
    .enum(['createdAt', 'lastClickAt', 'clickCount'])
    .default('createdAt')
    .meta({
      description: 'Sort key; links that were never clicked come last by lastClickAt.',
      examples: ['clickCount'],
    }),
  order: z
    .enum(['asc', 'desc'])
    .default('desc')
    .meta({ description: 'Direction.', examples: ['desc'] }),
  limit: pageSize(200, 50),
  cursor: pageCursor,
});

export const linkDomainQuery = z.object({
  domain: domain
    .optional()
    .meta({ description: 'Domain of the slug; the default one when absent.', examples: ['go.example.com'] }),
});

export const exportQuery = z.object({
  format: z
    .enum(['csv', 'json', 'ndjson'])
    .default('csv')
    .meta({ description: 'Form of the file.', examples: ['csv'] }),
});

export const linkOrSlugParams = z.object({ id: pathId('Id or slug of the link.', 'spring-sale') });
