import { formats } from '../../i18n/formats.js';

const { plural } = formats.en;

export const en = {
  title: 'Tags',
  lead: 'Labels that group links and QR codes.',
  create: 'New tag',
  createAction: 'Create tag',
  created: (name: string) => `Tag “${name}” created.`,
  name: 'Name',
  nameHint: 'Up to 50 characters, for example “newsletter”.',
  links: 'Links',
  qrCodes: 'QR codes',
  updated: 'Changed',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  rename: 'Rename',
  renameTitle: (name: string) => `Rename “${name}”`,
  renamed: (name: string) => `Tag renamed to “${name}”.`,
  save: 'Save',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the tag “${name}”?`,
  deleteText: (links: number, qrCodes: number) =>
    `It will be removed from ${plural(links, { one: '# link', other: '# links' })} and ${plural(qrCodes, { one: '# QR code', other: '# QR codes' })}, which are kept.`,
  deleteAction: 'Delete tag',
  deleted: (name: string) => `Tag “${name}” deleted.`,
  emptyTitle: 'No tags yet',
  emptyText: 'Tags group links and QR codes, for example by campaign or by team.',
};
