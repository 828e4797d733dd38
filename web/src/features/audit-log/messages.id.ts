import type { en } from './messages.en.js';

export const id: typeof en = {
  title: 'Log audit',
  lead: 'Setiap perubahan di ruang kerja ini, oleh siapa dan kapan.',
  action: 'Tindakan',
  actor: 'Pelaku',
  target: 'Sasaran',
  from: 'Dari',
  to: 'Sampai',
  apply: 'Terapkan filter',
  clear: 'Hapus',
  ip: 'Alamat IP',
  request: 'Permintaan',
  changes: 'Perubahan',
  field: 'Kolom',
  before: 'Sebelum',
  after: 'Sesudah',
  emptyTitle: 'Belum ada entri',
  emptyText: 'Setiap perubahan di ruang kerja ini menambah satu entri.',
  noneTitle: 'Tidak ada entri yang cocok',
  noneText: 'Ubah atau hapus filter. Tindakan dicocokkan dengan nama lengkap atau awalannya, misalnya “link.”.',
};
