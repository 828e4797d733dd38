import { z } from 'zod';
import { time } from '../routes/fields.js';
import { LINK_ID } from '../routes/link-schemas.js';
import { QR_CODE_ID } from '../routes/qr-schemas.js';

// What events alone show.

const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });
const oneOf = <const T extends [string, ...string[]]>(values: T, description: string) =>
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
