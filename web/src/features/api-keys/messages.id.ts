import type { en } from './messages.en.js';

export const id: typeof en = {
  title: 'Kunci API',
  lead: 'Kunci memberi program akses ke API ruang kerja ini dengan hak seorang admin.',
  create: 'Kunci API baru',
  createAction: 'Buat kunci',
  created: (label) => `Kunci API “${label}”`,
  createdText: 'Salin kunci ini sekarang dan simpan di tempat aman. Kunci tidak ditampilkan lagi.',
  copy: 'Salin kunci',
  label: 'Label',
  labelHint: 'Tempat kunci dipakai, misalnya “impor malam”.',
  key: 'Kunci',
  lastUsed: 'Terakhir dipakai',
  neverUsed: 'Belum pernah',
  createdAt: 'Dibuat',
  actions: 'Tindakan',
  revoke: 'Cabut',
  revokeOf: (label) => `Cabut ${label}`,
  revokeTitle: (label) => `Cabut kunci API “${label}”?`,
  revokeText: (prefix) =>
    `Program yang memakai kunci ${prefix}… langsung kehilangan akses. Ini tidak dapat diurungkan.`,
  revokeAction: 'Cabut kunci',
  revoked: (label) => `Kunci API “${label}” dicabut.`,
  emptyTitle: 'Belum ada kunci API',
  emptyText: 'Buat satu untuk memakai API, pustaka klien, atau klien baris perintah dalam skrip.',
};
