import { z } from 'zod';
import { creatorField } from './actor.js';
import { choice, count, exampleId, identifier, text, texts, time } from './fields.js';

/** Statuses of links and QR codes. */
export const linkStatuses = ['active', 'expired', 'archived'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

export const linkRecord = z
  .object({
    id: identifier('lnk', 'Id of the link.'),
    slug: text('Short path. Its letter case is preserved.', 'spring-sale'),
    domain: text('Custom domain; null for the default domain.', 'go.example.com').nullable(),
    shortUrl: text('Address to share.', 'https://tautan.example/spring-sale'),
    url: text('Destination URL.', 'https://example.com/spring?utm_source=mail'),
    title: text('Title.', 'Spring sale').nullable(),
    description: text('Notes.', 'Linked from the April newsletter').nullable(),
    tags: texts('Names of the tags, sorted.', ['newsletter', 'spring']),
    status: choice(
      linkStatuses,
      'Only active links redirect to `url`. The others respond with 410, or redirect to the `expiredUrl` of their domain.',
    ),
    expiresAt: time('Time at which the link stops redirecting.').nullable(),
    maxClicks: count('Number of human clicks after which the link stops redirecting.', 500).nullable(),
    clickCount: count('Number of human clicks. Bots are not counted.', 42),
    lastClickAt: time('Time of the last human click.').nullable(),
    qrCodeCount: count('Number of QR codes that point to this link.', 0),
    createdBy: creatorField('api_key', 'key'),
    createdAt: time('Time of creation.'),
    updatedAt: time('Time of the last change.'),
  })
  .meta({ id: 'Link', description: 'A short link. Optional fields that are not set are null.' });
export type LinkRecord = z.infer<typeof linkRecord>;

export const LINK_ID = exampleId('lnk');

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
  createdBy: { type: 'api_key', id: exampleId('key') },
  createdAt: '2029-04-01T08:00:00.000Z',
  updatedAt: '2029-04-01T08:00:00.000Z',
};

/** Values of fields that events of earlier versions lack. A field that is added to the record needs a value here. */
export const addedLinkFields = {} satisfies Partial<LinkRecord>;
