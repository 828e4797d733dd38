import type { LinkMessage } from '@tautan/proto';
import { z } from 'zod';
import { changeOf } from './change.js';
import { deleted } from './fields.js';
import { linkBatchRoutes } from './link-batches.js';
import {
  LINK_ID,
  linkChange,
  linkDomainQuery,
  linkExample,
  linkOrSlugParams,
  linkQuery,
  linkRecord,
  newLink,
} from './link-schemas.js';
import { linkView } from './link-view.js';
import { cursorPage, route, type Reply, type Route } from './route.js';

const section = 'Links';
const shown = (link: LinkMessage): Reply => ({ data: linkView(link) });

const list = route({
  id: 'listLinks',
  method: 'GET',
  path: '/api/v1/links',
  section,
  summary: 'List links',
  description:
    'Newest first unless `sort` and `order` say otherwise. Pages neither skip nor repeat a link that was there throughout.',
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
  description: 'A null for an optional field means that it is absent.',
  request: {
    body: newLink,
    bodyExample: { url: 'https://example.com/spring?utm_source=mail', slug: 'spring-sale', tags: ['newsletter'] },
  },
  success: { status: 201, description: 'The link.', data: linkRecord, example: linkExample },
  errors: ['SLUG_TAKEN', 'PLAN_LIMIT_EXCEEDED'],
  handle: async ({ body }, { clients, rpc, operation }) =>
    shown(await clients.links.call('CreateLink', { ...body, ...operation }, rpc())),
});

const get = route({
  id: 'getLink',
  method: 'GET',
  path: '/api/v1/links/{id}',
  section,
  summary: 'Get a link',
  description: 'By its id, or by its slug on the default domain or on the one that `domain` names.',
  request: { params: linkOrSlugParams, query: linkDomainQuery },
  success: { status: 200, description: 'The link.', data: linkRecord, example: linkExample },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query }, { clients, rpc }) =>
    shown(await clients.links.call('GetLink', { idOrSlug: id, ...query }, rpc())),
});

const update = route({
  id: 'updateLink',
  method: 'PATCH',
  path: '/api/v1/links/{id}',
  section,
  summary: 'Update a link',
  description:
    'Takes an id, or a slug on the default domain or on the one that `domain` names. Absent fields are left alone; null clears an optional field.',
  request: {
    params: linkOrSlugParams,
    query: linkDomainQuery,
    body: linkChange,
    bodyExample: { title: 'Spring sale', expiresAt: null },
  },
  success: { status: 200, description: 'The link.', data: linkRecord, example: linkExample },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'SLUG_TAKEN'],
  handle: async ({ params: { id }, query, body }, { clients, rpc }) =>
    shown(await clients.links.call('UpdateLink', { id, ...query, ...changeOf(body) }, rpc())),
});

const remove = route({
  id: 'deleteLink',
  method: 'DELETE',
  path: '/api/v1/links/{id}',
  section,
  summary: 'Delete a link',
  description:
    'Takes an id, or a slug on the default domain or on the one that `domain` names. The slug stays reserved for this workspace for 30 days.',
  request: { params: linkOrSlugParams, query: linkDomainQuery },
  success: { status: 200, description: 'It is gone.', data: deleted('lnk'), example: { id: LINK_ID, deleted: true } },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id: idOrSlug }, query }, { clients, rpc }) => {
    const { id } = await clients.links.call('DeleteLink', { id: idOrSlug, ...query }, rpc());
    return { data: { id, deleted: true } };
  },
});

/** Literal paths come before those with a parameter. */
export const linkRoutes: Route[] = [list, create, ...linkBatchRoutes, get, update, remove];
