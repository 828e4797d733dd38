import { z } from 'zod';
import { choice, exampleId, identifier, text, time } from './fields.js';
import { LINK_ID } from './link.js';

export const clickSources = ['link', 'qr'] as const;

export const clickRecord = z
  .object({
    linkId: identifier('lnk', 'Id of the link; null for a standalone QR code.').nullable(),
    qrCodeId: identifier('qr', 'Id of the scanned QR code; null for a click.').nullable(),
    source: choice(clickSources, 'Whether a link was clicked or a QR code scanned.'),
    clickedAt: time('Time of the click or scan.'),
    country: text('Country code (ISO 3166-1 alpha-2); null if unknown.', 'ID').nullable(),
    city: text('City; null if unknown.', 'Bandung').nullable(),
    referrer: text('Host of the referring page; null if there was none.', 'news.example.com').nullable(),
    userAgent: text('User agent of the browser.', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)'),
  })
  .meta({ id: 'Click', description: 'A human click on a link or scan of a QR code.' });
export type ClickRecord = z.infer<typeof clickRecord>;

export const clickExample: ClickRecord = {
  linkId: LINK_ID,
  qrCodeId: null,
  source: 'link',
  clickedAt: '2030-01-31T12:00:00.000Z',
  country: 'ID',
  city: 'Bandung',
  referrer: 'news.example.com',
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
};

export const scanExample: ClickRecord = { ...clickExample, qrCodeId: exampleId('qr'), source: 'qr' };
