import { z } from 'zod';
import { creatorField } from './actor.js';
import { choice, count, exampleId, identifier, text, texts, time } from './fields.js';
import { LINK_ID, linkStatuses } from './link.js';

export const qrCodeRecord = z
  .object({
    id: identifier('qr', 'Id of the QR code.'),
    title: text('Title.', 'Poster').nullable(),
    url: text(
      'Destination URL; the URL of the link, if the code points to one.',
      'https://example.com/spring',
    ).nullable(),
    linkId: identifier('lnk', 'Id of the link that the code points to; null for a standalone code.').nullable(),
    slug: text('Short path that the code encodes.', 'k7m2x9p'),
    shortUrl: text('Address that the code encodes.', 'https://tautan.example/k7m2x9p'),
    styleConfig: z.record(z.string(), z.unknown()).meta({
      description: 'Style. Options that were not set have their default values.',
      examples: [{ foreground: '#000000', size: 600 }],
    }),
    logoRunRef: text('Id of the logo; null for none.', exampleId('lgo')).nullable(),
    tags: texts('Names of the tags, sorted.', ['newsletter', 'spring']),
    status: choice(
      linkStatuses,
      'Only active codes redirect to their destination. The others respond with 410, or redirect to `EXPIRED_URL` if the installation sets it. A code that points to a link has the status of the link, unless the code itself is expired or archived.',
    ),
    expiresAt: time(
      'Time at which the code stops redirecting. If it points to a link: the earlier of its own time and that of the link.',
    ).nullable(),
    maxScans: count(
      'Number of human scans after which the code stops redirecting. If it points to a link: the smaller of its own limit and `maxClicks` of the link.',
      500,
    ).nullable(),
    scanCount: count('Number of human scans. Bots are not counted.', 12),
    lastScanAt: time('Time of the last human scan.').nullable(),
    createdBy: creatorField('user', 'usr'),
    createdAt: time('Time of creation.'),
    updatedAt: time('Time of the last change.'),
  })
  .meta({ id: 'QrCode', description: 'A QR code. Optional fields that are not set are null.' });
export type QrCodeRecord = z.infer<typeof qrCodeRecord>;

export const QR_CODE_ID = exampleId('qr');

export const qrCodeExample: QrCodeRecord = {
  id: QR_CODE_ID,
  title: 'Poster',
  url: 'https://example.com/spring',
  linkId: LINK_ID,
  slug: 'k7m2x9p',
  shortUrl: 'https://tautan.example/k7m2x9p',
  styleConfig: {
    foreground: '#000000',
    background: '#ffffff',
    size: 600,
    margin: 2,
    errorCorrection: 'M',
    dotStyle: 'square',
    markerBorder: 'square',
    markerCenter: 'square',
    gradient: null,
    logoScale: 0.2,
    markerColor: '#000000',
  },
  logoRunRef: null,
  tags: ['newsletter', 'spring'],
  status: 'active',
  expiresAt: null,
  maxScans: 500,
  scanCount: 12,
  lastScanAt: '2029-04-03T09:12:44.120Z',
  createdBy: { type: 'user', id: exampleId('usr') },
  createdAt: '2029-04-01T08:00:00.000Z',
  updatedAt: '2029-04-01T08:00:00.000Z',
};
