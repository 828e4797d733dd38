import { z } from 'zod';
import { count, identifier, time } from '../routes/fields.js';
import { LINK_ID } from '../routes/link-schemas.js';

// Records that events alone show.

const QR_CODE_ID = 'qr_01jd3x8q4v5w6y7z8a9b0c1d2e';
const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });
const flag = (description: string) => z.boolean().meta({ description, examples: [false] });
const oneOf = <const T extends [string, ...string[]]>(values: T, description: string) =>
  z.enum(values).meta({ description, examples: [values[0]] });

export const clickRecord = z
  .object({
    linkId: text('Id of the link.', LINK_ID),
    qrCodeId: text('Id of the QR code that was scanned; null for none.', QR_CODE_ID).nullable(),
    source: oneOf(['link', 'qr'], 'What the visitor followed.'),
    clickedAt: time('When.'),
    country: text('Country code (ISO 3166-1 alpha-2); null where it is not known.', 'ID').nullable(),
    city: text('City; null where it is not known.', 'Bandung').nullable(),
    referrer: text('Host that the visitor came from; null for none.', 'news.example.com').nullable(),
    userAgent: text('What the browser called itself.', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)'),
  })
  .meta({ id: 'Click', description: 'One person who followed a link or scanned a QR code.' });

export const qrCodeRecord = z
  .object({
    id: identifier('qr', 'Id of the QR code.'),
    title: text('A title for people; null for none.', 'Poster').nullable(),
    url: text('Destination; null where it is that of a link.', 'https://example.com/spring').nullable(),
    linkId: identifier('lnk', 'Link that the code follows; null for none.').nullable(),
    slug: text('The short path that the code encodes.', 'poster'),
    shortUrl: text('What the code encodes.', 'https://go.example.com/poster'),
    styleConfig: z
      .record(z.string(), z.unknown())
      .meta({ description: 'How the code looks.', examples: [{ foreground: '#000000', size: 600 }] }),
    logoRunRef: text('The logo; null for none.', 'logo_01jd3x8q4v5w6y7z8a9b0c1d2e').nullable(),
    tags: z.array(z.string()).meta({ description: 'Names of its tags.', examples: [['spring']] }),
    status: oneOf(['active', 'expired', 'archived'], 'Whether scans are redirected.'),
    expiresAt: time('When it stops redirecting; null for never.').nullable(),
    maxScans: count('Scans after which it stops redirecting; null for no limit.', 500).nullable(),
    scanCount: count('Scans by people.', 12),
    lastScanAt: time('The last of them; null before the first.').nullable(),
    createdBy: z
      .object({
        type: oneOf(['user', 'api_key'], 'Kind of the maker.'),
        id: identifier('usr', 'Id of the person or API key.'),
      })
      .meta({ description: 'Who made it.' }),
    createdAt: time('When it was made.'),
    updatedAt: time('When it was changed last.'),
  })
  .meta({ id: 'QrCode', description: 'A QR code, which is redirected as a link is.' });

const dnsRecord = z.object({
  type: oneOf(['TXT', 'CNAME', 'A', 'AAAA'], 'Type of the record.'),
  name: text('Where it stands.', 'go.example.com'),
  value: text('What it must say.', 'links.example.net'),
  purpose: oneOf(['ownership', 'routing'], 'What it proves or does.'),
  found: z.array(z.string()).meta({ description: 'What was found there.', examples: [['links.example.net']] }),
  ok: flag('Whether that is right.'),
});

export const domainRecord = z
  .object({
    id: identifier('dom', 'Id of the domain.'),
    domain: text('Its host name.', 'go.example.com'),
    status: oneOf(['pending', 'verified', 'failed'], 'Verified ones serve short links.'),
    dnsRecords: z.array(dnsRecord).meta({ description: 'The records that it needs, and what was found.' }),
    verifiedAt: time('When it was verified; null before.').nullable(),
    lastCheckedAt: time('When its records were looked up last; null before the first time.').nullable(),
    lastError: text('Why it is not verified; null when it is.', 'go.example.com has no CNAME record.').nullable(),
    linkCount: count('Links under it.', 3),
    createdAt: time('When it was added.'),
  })
  .meta({ id: 'Domain', description: "A workspace's own host name for short links." });

const plans = z.enum(['FREE', 'PRO', 'BUSINESS']);

export const subscriptionRecord = z
  .object({
    id: identifier('sub', 'Id of the subscription.'),
    plan: plans.meta({ description: 'What the workspace has now.', examples: ['PRO'] }),
    status: oneOf(['none', 'active', 'past_due', 'canceled'], 'How it stands at the payment provider.'),
    currency: oneOf(['IDR', 'USD'], 'What it is paid in.'),
    currentPeriodStart: time('When the paid period began; null without one.').nullable(),
    currentPeriodEnd: time('When it ends; null without one.').nullable(),
    cancelAtPeriodEnd: flag('Whether it ends then.'),
    pendingPlan: plans
      .nullable()
      .meta({ description: 'What the plan becomes then; null where it stays.', examples: [null] }),
  })
  .meta({ id: 'Subscription', description: 'What a workspace pays for.' });
