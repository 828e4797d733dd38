import { deletedOf, deletedRecord, LINK_ID, linkExample, linkRecord, type LinkMessage } from '@tautan/proto';
import { z } from 'zod';
import { changeOf } from './change.js';
import { linkBatchRoutes } from './link-batches.js';
import { linkChange, linkDomainQuery, linkOrSlugParams, linkQuery, newLink } from './link-schemas.js';
import { linkView } from './link-view.js';
import { cursorPage, route, type Reply, type Route } from './route.js';

const section = 'Links';
const reply = (link: LinkMessage): Reply => ({ data: linkView(link) });

const list = route({
  id: 'listLinks',
  method: 'GET',
  path: '/api/v1/links',
  section,
  summary: 'List links',
  description:
    'Returns links, newest first by default. Paging neither skips nor repeats a link, even if others are created or deleted.',
  request: { query: linkQuery },
  success: {
    status: 200,
    description: 'A page of links.',
    data: z.array(linkRecord),
    example: [linkExample],
    paged: 'cursor',
  },
  errors: [],
  handle: async ({ query: { tag, ...query } }, { clients, rpc }) => {
    const { links, nextCursor } = await clients.links.call('ListLinks', { ...query, tags: tag ?? [] }, rpc());
    return { data: links.map(linkView), page: cursorPage(query.limit, nextCursor) };
  },
});

const create = route({
  id: 'createLink',
  method: 'POST',
  path: '/api/v1/links',
  section,
  summary: 'Create a link',
  description: 'Null for an optional field means that it is absent.',
  request: {
    body: newLink,
    bodyExample: { url: 'https://example.com/spring?utm_source=mail', slug: 'spring-sale', tags: ['newsletter'] },
  },
  success: { status: 201, description: 'The link.', data: linkRecord, example: linkExample },
  errors: ['SLUG_TAKEN', 'PLAN_LIMIT_EXCEEDED'],
  handle: async ({ body }, { clients, rpc, operation }) =>
    reply(await clients.links.call('CreateLink', { ...body, ...operation }, rpc())),
});

const get = route({
  id: 'getLink',
  method: 'GET',
  path: '/api/v1/links/{id}',
  section,
  summary: 'Get a link',
  description: 'Returns a link by its id, or by its slug on the default domain or on `domain`.',
  request: { params: linkOrSlugParams, query: linkDomainQuery },
  success: { status: 200, description: 'The link.', data: linkRecord, example: linkExample },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query }, { clients, rpc }) =>
    reply(await clients.links.call('GetLink', { idOrSlug: id, ...query }, rpc())),
});

const update = route({
  id: 'updateLink',
  method: 'PATCH',
  path: '/api/v1/links/{id}',
  section,
  summary: 'Update a link',
  description:
    'Accepts an id, or a slug on the default domain or on `domain`. Absent fields are not changed; null clears an optional field.',
  request: {
    params: linkOrSlugParams,
    query: linkDomainQuery,
    body: linkChange,
    bodyExample: { title: 'Spring sale', expiresAt: null },
  },
  success: { status: 200, description: 'The link.', data: linkRecord, example: linkExample },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'SLUG_TAKEN'],
  handle: async ({ params: { id }, query, body }, { clients, rpc }) =>
    reply(await clients.links.call('UpdateLink', { id, ...query, ...changeOf(body) }, rpc())),
});

const remove = route({
  id: 'deleteLink',
  method: 'DELETE',
  path: '/api/v1/links/{id}',
  section,
  summary: 'Delete a link',
  description:
    'Accepts an id, or a slug on the default domain or on `domain`. The slug stays reserved for this workspace for 30 days.',
  request: { params: linkOrSlugParams, query: linkDomainQuery },
  success: {
    status: 200,
    description: 'The link was deleted.',
    data: deletedRecord('lnk'),
    example: deletedOf(LINK_ID),
  },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id: idOrSlug }, query }, { clients, rpc }) => {
    const { id } = await clients.links.call('DeleteLink', { id: idOrSlug, ...query }, rpc());
    return { data: deletedOf(id) };
  },
});

/** Literal paths come before paths with a parameter. */
export const linkRoutes: Route[] = [list, create, ...linkBatchRoutes, get, update, remove];
