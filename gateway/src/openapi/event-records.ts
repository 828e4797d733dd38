import { planNames } from '@tautan/proto';
import { z } from 'zod';
import { count, time } from '../routes/fields.js';
import { LINK_ID } from '../routes/link-schemas.js';
import { QR_CODE_ID } from '../routes/qr-schemas.js';

// What events alone show.

const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });
const oneOf = <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
  z.enum(values).meta({ description, examples: [values[0]] });

export const clickRecord = z
  .object({
    linkId: text('Id of the link; null for a QR code that stands alone.', LINK_ID).nullable(),
    qrCodeId: text('Id of the QR code that was scanned; null for none.', QR_CODE_ID).nullable(),
    source: oneOf(['link', 'qr'], 'What the visitor followed.'),
    clickedAt: time('When.'),
    country: text('Country code (ISO 3166-1 alpha-2); null where it is not known.', 'ID').nullable(),
    city: text('City; null where it is not known.', 'Bandung').nullable(),
    referrer: text('Host that the visitor came from; null for none.', 'news.example.com').nullable(),
    userAgent: text('What the browser called itself.', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)'),
  })
  .meta({ id: 'Click', description: 'One person who followed a link or scanned a QR code.' });

export const usageThresholdRecord = z
  .object({
    limit: oneOf(['clicks'], 'Name of the soft limit.'),
    period: text('Calendar month (UTC), `YYYY-MM`.', '2030-01'),
    threshold: z
      .union([z.literal(80), z.literal(100)])
      .meta({ description: 'Share of the limit that was reached, percent.', examples: [80] }),
    used: count('Use when the threshold was noticed.', 8_004),
    max: count('What the plan allows.', 10_000),
    plan: oneOf(planNames, 'Plan of the workspace.'),
  })
  .meta({ id: 'UsageThreshold', description: 'A soft limit that a workspace has reached by 80 % or 100 %.' });
