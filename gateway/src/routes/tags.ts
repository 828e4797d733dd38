import { z } from 'zod';
import { deleted, identifier, pathId, text, time } from './fields.js';
import { tagView } from './link-view.js';
import { route, type Route } from './route.js';

const TAG_ID = 'tag_01jd3x8q4v5w6y7z8a9b0c1d2e';
const section = 'Tags';

const tagBody = z.strictObject({
  name: text(50, 1).meta({
    description: 'Name, 1–50 characters after trimming, unique in the workspace whatever its case.',
    examples: ['newsletter'],
  }),
});

export const tagRecord = z
  .object({
    id: identifier('tag', 'Id of the tag; it stays through every rename.'),
    name: z.string().meta({ description: 'Name, as typed.', examples: ['newsletter'] }),
    linkCount: z
      .number()
      .int()
      .meta({ description: 'Links that carry it.', examples: [12] }),
    qrCodeCount: z
      .number()
      .int()
      .meta({ description: 'QR codes that carry it.', examples: [0] }),
    createdAt: time('When it was made.'),
    updatedAt: time('When it was changed last.'),
  })
  .meta({ id: 'Tag', description: 'A label of links and QR codes.' });
export type TagRecord = z.infer<typeof tagRecord>;

const tagExample: TagRecord = {
  id: TAG_ID,
  name: 'newsletter',
  linkCount: 12,
  qrCodeCount: 0,
  createdAt: '2029-04-01T08:00:00.000Z',
  updatedAt: '2029-04-01T08:00:00.000Z',
};

const params = z.object({ id: pathId('Id of the tag.', TAG_ID) });

export const tagRoutes: Route[] = [
  route({
    id: 'listTags',
    method: 'GET',
    path: '/api/v1/tags',
    section,
    summary: 'List tags',
    description: 'All tags of the workspace, sorted by name; not paged.',
    request: {},
    success: { status: 200, description: 'All tags.', data: z.array(tagRecord), example: [tagExample], paged: 'whole' },
    errors: [],
    handle: async (_request, { clients, rpc }) => {
      const { tags } = await clients.tags.call('ListTags', {}, rpc());
      return { data: tags.map(tagView) };
    },
  }),
  route({
    id: 'createTag',
    method: 'POST',
    path: '/api/v1/tags',
    section,
    summary: 'Create a tag',
    request: { body: tagBody, bodyExample: { name: 'newsletter' } },
    success: { status: 201, description: 'The tag.', data: tagRecord, example: tagExample },
    errors: ['TAG_EXISTS'],
    handle: async ({ body }, { clients, rpc, operation }) => ({
      data: tagView(await clients.tags.call('CreateTag', { ...body, ...operation }, rpc())),
    }),
  }),
  route({
    id: 'renameTag',
    method: 'PATCH',
    path: '/api/v1/tags/{id}',
    section,
    summary: 'Rename a tag',
    description: 'The id stays, so links and QR codes that carry the tag follow.',
    request: { params, body: tagBody, bodyExample: { name: 'April newsletter' } },
    success: { status: 200, description: 'The tag.', data: tagRecord, example: tagExample },
    errors: ['TAG_EXISTS', 'FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ params: { id }, body: { name } }, { clients, rpc }) => ({
      data: tagView(await clients.tags.call('RenameTag', { id, name }, rpc())),
    }),
  }),
  route({
    id: 'deleteTag',
    method: 'DELETE',
    path: '/api/v1/tags/{id}',
    section,
    summary: 'Delete a tag',
    description: 'Takes it off every link and QR code; they remain.',
    request: { params },
    success: {
      status: 200,
      description: 'It is gone.',
      data: deleted('tag'),
      example: { id: TAG_ID, deleted: true },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc }) => {
      await clients.tags.call('DeleteTag', { id }, rpc());
      return { data: { id, deleted: true } };
    },
  }),
];
