import { formats } from '../../i18n/formats.js';
import type { Messages } from '../../i18n/messages.js';

// Apart from the other messages, because the page of links, which needs some of those, loads first.
const en = {
  earlierSlug: 'An earlier row has this slug.',
  planLimit: (plan: string, limit: number) =>
    `The ${plan} plan limits links per month to ${formats.en.number(limit)}. Upgrade the plan to create more.`,
};

const id: typeof en = {
  earlierSlug: 'Slug ini sudah dipakai oleh baris sebelumnya.',
  planLimit: (plan, limit) =>
    `Paket ${plan} membatasi tautan per bulan hingga ${formats.id.number(limit)}. Tingkatkan paket untuk membuat lebih banyak.`,
};

export const problemMessages: Messages<typeof en> = { en, id };
