import { deletedOf, deletedRecord, TAG_ID, tagExample, tagRecord } from '@tautan/proto';
import { z } from 'zod';
import { pathId, text } from './fields.js';
import { tagView } from './link-view.js';
import { route, type Route } from './route.js';

const section = 'Tags';

const tagBody = z.strictObject({
  name: text(50, 1).meta({
    description: 'Name: 1–50 characters after trimming, unique in the workspace regardless of case.',
    examples: ['newsletter'],
  }),
});

const params = z.object({ id: pathId('Id of the tag.', TAG_ID) });

export const tagRoutes: Route[] = [
  route({
    id: 'listTags',
    method: 'GET',
    path: '/api/v1/tags',
    section,
    summary: 'List tags',
    description: 'Returns all tags of the workspace, sorted by name, without pagination.',
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
    description: 'Links and QR codes keep the tag, because its id does not change.',
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
    description: 'Removes the tag from all links and QR codes.',
    request: { params },
    success: {
      status: 200,
      description: 'The tag was deleted.',
      data: deletedRecord('tag'),
      example: deletedOf(TAG_ID),
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc }) => {
      await clients.tags.call('DeleteTag', { id }, rpc());
      return { data: deletedOf(id) };
    },
  }),
];
