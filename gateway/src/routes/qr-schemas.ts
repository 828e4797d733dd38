import { LINK_ID, LOGO_ID, QR_CODE_ID } from '@tautan/proto';
import { z } from 'zod';
import { dateTime, optionalField, pageCursor, pageSize, pathId, nonEmptyText, text } from './fields.js';
import { linkQuery, statuses, tagNames, title, url } from './link-schemas.js';
import { styleConfig } from './qr-style.js';

const expiresAt = dateTime.meta({
  description: 'Time at which scans stop being redirected: an ISO 8601 date-time in the future, with any offset.',
  examples: ['2030-01-31T12:00:00+07:00'],
});
const maxScans = z
  .number()
  .int()
  .min(1)
  .max(1_000_000_000)
  .meta({ description: 'Number of human scans after which the code stops redirecting.', examples: [500] });
const logoRunRef = text(64, 1).meta({
  description:
    'Id of an uploaded logo, which is drawn in the center of the QR code. With a logo, the error correction level is H.',
  examples: [LOGO_ID],
});

/** Body of POST /qr-codes. */
export const newQrCode = z.strictObject({
  url: optionalField(url),
  linkId: optionalField(
    text(64, 1).meta({
      description:
        'Id of a link. The QR code uses the destination of the link. The status and limits of the link apply in addition to those of the QR code.',
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
  styleConfig: styleConfig.nullable().optional().meta({ description: 'Changes to the style; null resets the style.' }),
  logoRunRef: logoRunRef.nullable().optional(),
  status: statuses.optional().meta({
    description:
      '`archived` stops the redirect, `active` resumes it. `active` is refused while the link of the QR code is not active.',
    examples: ['archived'],
  }),
});

/** Query of GET /qr-codes. */
export const qrCodeQuery = z.object({
  q: text(2_048)
    .optional()
    .meta({
      description:
        'Words that must all occur in title, slug or url, regardless of case and Unicode composition; or the short URL, with or without its scheme. A url is found in its stored form, in the form in which it was given, and by its Unicode host name and decoded path. At most 2,048 characters and 100 words. A request searches up to 100,000 QR codes. If it reaches that limit, the page is short or empty and `hasMore` is true: continue with the cursor.',
      examples: ['poster'],
    }),
  tag: linkQuery.shape.tag,
  status: statuses.optional().meta({ description: 'Only QR codes with this status.', examples: ['active'] }),
  linkId: nonEmptyText(64)
    .optional()
    .meta({ description: 'Only QR codes of the link with this id.', examples: [LINK_ID] }),
  limit: pageSize(200, 50),
  cursor: pageCursor,
});

export const qrCodeParams = z.object({ id: pathId('Id of the QR code.', QR_CODE_ID) });
