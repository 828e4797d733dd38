import type { Messages } from '../i18n/messages.js';

const en = {
  optional: 'optional',
  cancel: 'Cancel',
  close: 'Close',
  done: 'Done',
  save: 'Save',
  copy: 'Copy',
  copied: 'Copied.',
  copyFailed: 'The text could not be copied.',
  undo: 'Undo',
  retry: 'Try again',
  loading: 'Loading',
  more: 'Load more',
  notifications: 'Notifications',
  failed: 'This could not be loaded',
  forbidden: 'You have no access to this',
  forbiddenHint: 'Your role in this workspace does not allow it. Ask an owner or an admin.',
  requestId: (id: string) => `Request ${id}`,
};

const id: typeof en = {
  optional: 'opsional',
  cancel: 'Batal',
  close: 'Tutup',
  done: 'Selesai',
  save: 'Simpan',
  copy: 'Salin',
  copied: 'Tersalin.',
  copyFailed: 'Teks tidak dapat disalin.',
  undo: 'Urungkan',
  retry: 'Coba lagi',
  loading: 'Memuat',
  more: 'Muat lagi',
  notifications: 'Pemberitahuan',
  failed: 'Ini tidak dapat dimuat',
  forbidden: 'Anda tidak punya akses ke sini',
  forbiddenHint: 'Peran Anda di ruang kerja ini tidak mengizinkannya. Hubungi pemilik atau admin.',
  requestId: (id) => `Permintaan ${id}`,
};

export const uiMessages: Messages<typeof en> = { en, id };
