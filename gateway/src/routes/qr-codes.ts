import type { QrCodeMessage } from '@tautan/proto';
import { z } from 'zod';
import { changeOf } from './change.js';
import { deleted } from './fields.js';
import {
  newQrCode,
  QR_CODE_ID,
  qrCodeChange,
  qrCodeExample,
  qrCodeParams as params,
  qrCodeQuery,
  qrCodeRecord,
} from './qr-schemas.js';
import { qrStats, qrStatsExample, qrStatsOf } from './qr-stats-schemas.js';
import { qrCodeView } from './qr-view.js';
import { cursorPage, route, type Reply, type Route } from './route.js';
import { rangeQuery } from './stats-schemas.js';
import { linkStatsView } from './stats-view.js';

const section = 'QR codes';
const path = '/api/v1/qr-codes';
const shown = (code: QrCodeMessage): Reply => ({ data: qrCodeView(code) });
const one = { description: 'The QR code.', data: qrCodeRecord, example: qrCodeExample };

const list = route({
  id: 'listQrCodes',
  method: 'GET',
  path,
  section,
  summary: 'List QR codes',
  description: 'Newest first. Pages neither skip nor repeat a QR code that was there throughout.',
  request: { query: qrCodeQuery },
  success: {
    status: 200,
    description: 'A page of QR codes.',
    data: z.array(qrCodeRecord),
    example: [qrCodeExample],
    paged: 'cursor',
  },
  errors: [],
  handle: async ({ query: { tag, ...query } }, { clients, rpc }) => {
    const { qrCodes, nextCursor } = await clients.qrCodes.call('ListQrCodes', { ...query, tags: tag ?? [] }, rpc());
    return { data: qrCodes.map(qrCodeView), page: cursorPage(query.limit, nextCursor) };
  },
});

const create = route({
  id: 'createQrCode',
  method: 'POST',
  path,
  section,
  summary: 'Create a QR code',
  description:
    'Exactly one of `url` and `linkId` is needed. Every QR code has a slug of its own, so that its scans are counted and its destination can change after it was printed. With `linkId` each scan counts as a click of the link, too.',
  request: {
    body: newQrCode,
    bodyExample: { url: 'https://example.com/spring', title: 'Poster', styleConfig: { dotStyle: 'rounded' } },
  },
  success: { status: 201, ...one },
  errors: ['FORBIDDEN', 'PLAN_LIMIT_EXCEEDED'],
  handle: async ({ body: { styleConfig, ...body } }, { clients, rpc, operation }) => {
    const request = { ...body, ...(styleConfig && { styleConfig: JSON.stringify(styleConfig) }), ...operation };
    return shown(await clients.qrCodes.call('CreateQrCode', request, rpc()));
  },
});

const get = route({
  id: 'getQrCode',
  method: 'GET',
  path: `${path}/{id}`,
  section,
  summary: 'Get a QR code',
  request: { params },
  success: { status: 200, ...one },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id } }, { clients, rpc }) => shown(await clients.qrCodes.call('GetQrCode', { id }, rpc())),
});

const update = route({
  id: 'updateQrCode',
  method: 'PATCH',
  path: `${path}/{id}`,
  section,
  summary: 'Update a QR code',
  description:
    'Fields that are absent are left alone; null unsets an optional one. `url` is for QR codes that stand alone. Of `styleConfig` the fields that are given change.',
  request: { params, body: qrCodeChange, bodyExample: { title: 'Autumn poster', maxScans: null } },
  success: { status: 200, ...one },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, body: { styleConfig, ...body } }, { clients, rpc }) => {
    const style = styleConfig === undefined ? {} : { styleConfig: styleConfig && JSON.stringify(styleConfig) };
    return shown(await clients.qrCodes.call('UpdateQrCode', { id, ...changeOf({ ...body, ...style }) }, rpc()));
  },
});

const remove = route({
  id: 'deleteQrCode',
  method: 'DELETE',
  path: `${path}/{id}`,
  section,
  summary: 'Delete a QR code',
  description: 'What was printed leads nowhere any more. Its slug stays reserved for this workspace for 30 days.',
  request: { params },
  success: { status: 200, description: 'It is gone.', data: deleted('qr'), example: { id: QR_CODE_ID, deleted: true } },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id } }, { clients, rpc }) => {
    await clients.qrCodes.call('DeleteQrCode', { id }, rpc());
    return { data: { id, deleted: true } };
  },
});

const stats = route({
  id: 'getQrCodeStats',
  method: 'GET',
  path: `${path}/{id}/stats`,
  section,
  summary: 'Get the statistics of a QR code',
  description:
    'A scan is counted within 5 seconds; bots, prefetches and HEAD are not scans. How far back it goes is for the plan to say.',
  request: { params, query: rangeQuery },
  success: { status: 200, description: 'The statistics.', data: qrStats, example: qrStatsExample },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query }, { clients, rpc }) => ({
    data: qrStatsOf(linkStatsView(await clients.stats.call('GetQrCodeStats', { qrCodeId: id, ...query }, rpc()))),
  }),
});

export const qrCodeRoutes: Route[] = [list, create, get, update, remove, stats];
