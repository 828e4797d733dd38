import type { Messages } from '../../i18n/messages.js';

// Not in `messages.ts`, because the links page loads that file, and only the import page needs these texts.
const en = {
  earlierSlug: 'An earlier row has this slug.',
};

const id: typeof en = {
  earlierSlug: 'Slug ini sudah dipakai oleh baris sebelumnya.',
};

export const problemMessages: Messages<typeof en> = { en, id };
