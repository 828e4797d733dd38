import { Argument, Option } from 'commander';
import type { Api } from '../../api/client.js';
import type { QrCode } from '../../api/records.js';
import { repeatable, wholeNumber } from '../../command.js';
import { expiresOption } from '../links/fields.js';
import { fail } from '../../errors.js';
import { MAX_PAGE } from '../pages.js';
import { uploadLogo } from './logo.js';
import { styleBody, styleOptions, type StyleOptions } from './style.js';

/** Options for the fields of a QR code. */
export interface QrFields extends StyleOptions {
  title?: string;
  tag?: string[];
  expires?: string;
  maxScans?: number;
  logo?: string;
}

export const qrOptions = (tags = 'tag of the code; may be repeated'): Option[] => [
  new Option('--title <text>', 'title of the code'),
  repeatable('--tag <name>', tags),
  expiresOption(),
  wholeNumber('--max-scans <count>', 'number of scans after which the code stops redirecting'),
  new Option('--logo <file>', 'logo in the center: an image file, or the reference of an uploaded logo (lgo_…)'),
  ...styleOptions(),
];

/** Returns the API fields for the given options. Uploads the logo if it is a file. */
export async function qrBody(api: Api, { title, tag, expires, maxScans, logo, ...style }: QrFields) {
  const styleConfig = styleBody(style);
  return {
    ...(title !== undefined && { title }),
    ...(tag && { tags: tag }),
    ...(expires !== undefined && { expiresAt: expires }),
    ...(maxScans !== undefined && { maxScans }),
    ...(logo !== undefined && {
      logoRunRef: logo.startsWith('lgo_') ? logo : (await uploadLogo(api, logo)).logoRunRef,
    }),
    ...(styleConfig && { styleConfig }),
  };
}

export const qrArgument = (): Argument => new Argument('<code>', 'id or slug of the QR code');

/** Returns the QR code with this id or slug. Throws `notFound` if there is none. */
export async function findQrCode(api: Api, idOrSlug: string): Promise<QrCode> {
  if (idOrSlug.startsWith('qr_')) return api.get('/qr-codes/{id}', { path: { id: idOrSlug } });
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await api.page('/qr-codes', { query: { q: idOrSlug, limit: MAX_PAGE, cursor } });
    const found = data.find(({ slug }) => slug.toLowerCase() === idOrSlug.toLowerCase());
    if (found) return found;
    cursor = nextCursor;
  } while (cursor !== undefined);
  throw fail('notFound', `No QR code found: ${idOrSlug}.`);
}
