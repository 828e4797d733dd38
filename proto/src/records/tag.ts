import { z } from 'zod';
import { count, exampleId, identifier, text, time } from './fields.js';

export const tagRecord = z
  .object({
    id: identifier('tag', 'Id of the tag. Renaming the tag does not change it.'),
    name: text('Name. Its letter case is preserved.', 'newsletter'),
    linkCount: count('Number of links with this tag.', 12),
    qrCodeCount: count('Number of QR codes with this tag.', 0),
    createdAt: time('Time of creation.'),
    updatedAt: time('Time of the last change.'),
  })
  .meta({ id: 'Tag', description: 'A label for links and QR codes.' });
export type TagRecord = z.infer<typeof tagRecord>;

export const TAG_ID = exampleId('tag');

export const tagExample: TagRecord = {
  id: TAG_ID,
  name: 'newsletter',
  linkCount: 12,
  qrCodeCount: 0,
  createdAt: '2029-04-01T08:00:00.000Z',
  updatedAt: '2029-04-01T08:00:00.000Z',
};
