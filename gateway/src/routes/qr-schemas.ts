import { z } from 'zod';
import { count, identifier, moment, optionalField, pageCursor, pageSize, pathId, term, text, time } from './fields.js';
import { LINK_ID, linkQuery, statuses, tagNames, title, url } from './link-schemas.js';
import { styleConfig } from './qr-style.js';

export const QR_CODE_ID = 'qr_01jd3x8q4v5w6y7z8a9b0c1d2e';

const expiresAt = moment.meta({
  description: 'When scans stop being redirected: a moment in the future, ISO 8601 with any offset.',
  examples: ['2030-01-31T12:00:00+07:00'],
});
const maxScans = z
  .number()
  .int()
  .min(1)
  .max(1_000_000_000)
  .meta({ description: 'After so many scans by people the rest is not redirected.', examples: [500] });
const logoRunRef = text(64, 1).meta({
  description: 'A logo in the middle, as its upload named it. It makes the error correction H.',
  examples: ['lgo_01jd3x8q4v5w6y7z8a9b0c1d2e'],
});

/** Body of POST /qr-codes. */
export const newQrCode = z.strictObject({
  url: optionalField(url),
  linkId: optionalField(
    text(64, 1).meta({
      description: 'Link whose destination, status and limits the code follows.',
      examples: [LINK_ID],
    }),
  ),
  title: optionalField(title),
  tags: optionalField(tagNames),
  expiresAt: optionalField(expiresAt),
  maxScans: optionalField(maxScans),
  styleConfig: optionalField(styleConfig),
  logoRunRef: optionalField(logoRunRef),
});

/** Body of PATCH /qr-codes/{id}. */
export const qrCodeChange = z.strictObject({
  url: url.optional(),
  title: title.nullable().optional(),
  tags: tagNames.nullable().optional(),
  expiresAt: expiresAt.nullable().optional(),
  maxScans: maxScans.nullable().optional(),
  styleConfig: styleConfig.nullable().optional(),
  logoRunRef: logoRunRef.nullable().optional(),
  status: statuses.optional().meta({
    description:
      '`archived` stops the redirect, `active` resumes it; refused while the link of the code is not active.',
    examples: ['archived'],
  }),
});

const shown = (description: string, example: string) => z.string().meta({ description, examples: [example] });

/** A QR code as it is answered; unset optional fields are null. */
export const qrCodeRecord = z
  .object({
    id: identifier('qr', 'Id of the QR code.'),
    title: shown('A title for people.', 'Poster').nullable(),
    url: shown('Destination; that of the link where the code follows one.', 'https://example.com/spring').nullable(),
    linkId: identifier('lnk', 'Link that the code follows; null where it stands alone.').nullable(),
    slug: shown('The short path that the code encodes.', 'k7m2x9p'),
    shortUrl: shown('What the code encodes.', 'https://tautan.example/k7m2x9p'),
    styleConfig: z
      .record(z.string(), z.unknown())
      .meta({ description: 'How it looks, complete.', examples: [{ foreground: '#000000', size: 600 }] }),
    logoRunRef: shown('The logo; null for none.', 'lgo_01jd3x8q4v5w6y7z8a9b0c1d2e').nullable(),
    tags: z.array(z.string()).meta({ description: 'Names of the tags, sorted.', examples: [['newsletter', 'spring']] }),
    status: statuses.meta({
      description:
        'Only an active code redirects; others answer 410. An active code that follows a link has the status of the link.',
      examples: ['active'],
    }),
    expiresAt: time(
      'When scans stop being redirected. With a link: its own date or that of the link, whichever is earlier.',
    ).nullable(),
    maxScans: count(
      'Limit of scans by people. With a link: its own limit or `maxClicks` of the link, whichever is smaller.',
      500,
    ).nullable(),
    scanCount: count('Scans by people; bots are not counted.', 12),
    lastScanAt: time('When a person scanned it last.').nullable(),
    createdBy: z
      .object({
        type: z.enum(['user', 'api_key']).meta({ description: 'Kind of the maker.', examples: ['user'] }),
        id: identifier('usr', 'Id of the user or key.'),
      })
      .meta({ description: 'Who made it.' }),
    createdAt: time('When it was made.'),
    updatedAt: time('When it was changed last.'),
  })
  .meta({ id: 'QrCode', description: 'A QR code: its slug is redirected as that of a link is.' });
export type QrCodeRecord = z.infer<typeof qrCodeRecord>;

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
  createdBy: { type: 'user', id: 'usr_01jd3x8q4v5w6y7z8a9b0c1d2e' },
  createdAt: '2029-04-01T08:00:00.000Z',
  updatedAt: '2029-04-01T08:00:00.000Z',
};

/** Query of GET /qr-codes. */
export const qrCodeQuery = z.object({
  q: text(200)
    .optional()
    .meta({
      description:
        'Words that must all occur, in whatever case and Unicode composition, in title, slug or url; or the short URL, with or without its scheme. A url is found in its stored form and with its Unicode host name and decoded path. At most 200 characters. A search looks at up to 100,000 QR codes per request: when it reaches that bound the page is short, perhaps empty, with `hasMore` true: go on with the cursor.',
      examples: ['poster'],
    }),
  tag: linkQuery.shape.tag,
  status: statuses.optional().meta({ description: 'Only QR codes of this status.', examples: ['active'] }),
  linkId: term(64)
    .optional()
    .meta({ description: 'Only those that follow this link.', examples: [LINK_ID] }),
  limit: pageSize(200, 50),
  cursor: pageCursor,
});

export const qrCodeParams = z.object({ id: pathId('Id of the QR code.', QR_CODE_ID) });
