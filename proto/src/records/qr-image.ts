import { z } from 'zod';
import { count, exampleId, identifier, text, time } from './fields.js';

const TOKEN = 'fW9mUZ3v3j0Xb1JqPp0mSg6wqk8o2y7cT4nR5uLhAeI';

export const LOGO_ID = exampleId('lgo');
export const DOWNLOAD_TOKEN = TOKEN;
const logoUrl = `https://go.example/api/v1/qr-codes/logos/${LOGO_ID}`;

export const logoRecord = z
  .object({
    logoRunRef: identifier('lgo', 'Id of the logo: the value for `logoRunRef` of QR codes.'),
    url: text('Address of the image. It requires credentials.', logoUrl),
    width: count('Width in pixels.', 512),
    height: count('Height in pixels.', 512),
    bytes: count('Size of the stored image in bytes.', 20_480),
  })
  .meta({ id: 'Logo', description: 'An image for the center of QR codes.' });
export type LogoRecord = z.infer<typeof logoRecord>;

export const logoExample: LogoRecord = {
  logoRunRef: LOGO_ID,
  url: logoUrl,
  width: 512,
  height: 512,
  bytes: 20_480,
};

export const downloadTokenRecord = z.object({
  token: text('The token. It is returned only once.', TOKEN),
  url: text('Address of the image. It requires no credentials.', `https://go.example/q/${TOKEN}`),
  expiresAt: time('Time at which the token expires.'),
});
export type DownloadTokenRecord = z.infer<typeof downloadTokenRecord>;

export const downloadTokenExample: DownloadTokenRecord = {
  token: TOKEN,
  url: `https://go.example/q/${TOKEN}`,
  expiresAt: '2030-02-01T12:00:00.000Z',
};
