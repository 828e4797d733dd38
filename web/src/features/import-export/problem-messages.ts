import type { Messages } from '../../i18n/messages.js';

// In a separate file, because the page of links, which loads first, loads `messages.ts`.
const en = {
  earlierSlug: 'An earlier row has this slug.',
};

const id: typeof en = {
  earlierSlug: 'Slug ini sudah dipakai oleh baris sebelumnya.',
};

export const problemMessages: Messages<typeof en> = { en, id };
