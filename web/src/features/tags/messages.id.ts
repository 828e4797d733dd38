import { formats } from '../../i18n/formats.js';
import type { en } from './messages.en.js';

const { number } = formats.id;

export const id: typeof en = {
  title: 'Tag',
  lead: 'Label yang mengelompokkan tautan dan kode QR.',
  create: 'Tag baru',
  createAction: 'Buat tag',
  created: (name) => `Tag “${name}” dibuat.`,
  name: 'Nama',
  nameHint: 'Paling banyak 50 karakter, misalnya “buletin”.',
  links: 'Tautan',
  qrCodes: 'Kode QR',
  updated: 'Diubah',
  actions: 'Tindakan',
  actionsFor: (name) => `Tindakan untuk ${name}`,
  rename: 'Ganti nama',
  renameTitle: (name) => `Ganti nama “${name}”`,
  renamed: (name) => `Nama tag diganti menjadi “${name}”.`,
  save: 'Simpan',
  delete: 'Hapus',
  deleteTitle: (name) => `Hapus tag “${name}”?`,
  deleteText: (links, qrCodes) =>
    `Tag dilepas dari ${number(links)} tautan dan ${number(qrCodes)} kode QR. Semuanya tetap ada.`,
  deleteAction: 'Hapus tag',
  deleted: (name) => `Tag “${name}” dihapus.`,
  emptyTitle: 'Belum ada tag',
  emptyText: 'Tag mengelompokkan tautan dan kode QR, misalnya menurut kampanye atau tim.',
};
