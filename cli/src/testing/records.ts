import type { Link } from '../api/records.js';

const example: Partial<Link> = {
  id: 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e',
  slug: 'spring',
  domain: null,
  url: 'https://example.com/spring?utm_source=mail',
  title: null,
  description: null,
  tags: [],
  status: 'active',
  expiresAt: null,
  maxClicks: null,
  clickCount: 0,
  lastClickAt: null,
  qrCodeCount: 0,
  createdBy: { type: 'user', id: 'usr_01jd3x8q4v5w6y7z8a9b0c1d2e' },
  createdAt: '2026-04-01T08:00:00.000Z',
  updatedAt: '2026-04-01T08:00:00.000Z',
};

/** Returns a link record. */
export const aLink = (fields: Partial<Link> = {}): Link =>
  ({ ...example, shortUrl: `https://go.example/${fields.slug ?? 'spring'}`, ...fields }) as Link;
