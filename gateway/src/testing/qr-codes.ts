import type { Handlers } from '@tautan/kit/rpc';
import type { QrCodeMessage, QrCodesDefinition } from '@tautan/proto';
import { NOW } from './people.js';

/** A QR code as returned by the QR service. */
export const aQrCode = (overrides: Partial<QrCodeMessage> = {}): QrCodeMessage => ({
  id: 'qr_01jd3x8q4v5w6y7z8a9b0c1d2e',
  url: 'https://example.com/',
  slug: 'k7m2x9p',
  shortUrl: 'https://go.example/k7m2x9p',
  styleConfig: '{"foreground":"#000000","size":600}',
  tags: [],
  status: 'active',
  scanCount: 0,
  createdBy: { type: 'api_key', id: 'key_01jd3x8q4v5w6y7z8a9b0c1d2e' },
  createdAt: NOW,
  updatedAt: NOW,
  ...overrides,
});

export const qrCodes = (): Handlers<QrCodesDefinition> => ({
  CreateQrCode: async (_call, { title }) => aQrCode(title === undefined ? {} : { title }),
  GetQrCode: async (_call, { id }) => aQrCode({ id }),
  ListQrCodes: async () => ({ qrCodes: [aQrCode()] }),
  UpdateQrCode: async (_call, { id }) => aQrCode({ id }),
  DeleteQrCode: async (_call, { id }) => ({ id }),
});
