import {
  deletedOf,
  deletedRecord,
  linkStatsExample,
  QR_CODE_ID,
  qrCodeExample,
  qrCodeRecord,
  qrCodeStatsRecord,
  type QrCodeMessage,
} from '@tautan/proto';
import { z } from 'zod';
import { changeOf } from './change.js';
import { newQrCode, qrCodeChange, qrCodeParams as params, qrCodeQuery } from './qr-schemas.js';
import { qrCodeStatsOf } from './qr-stats-view.js';
import { qrCodeView } from './qr-view.js';
import { cursorPage, route, type Reply, type Route } from './route.js';
import { rangeQuery } from './stats-schemas.js';
import { linkStatsView } from './stats-view.js';

const section = 'QR codes';
const path = '/api/v1/qr-codes';
const reply = (code: QrCodeMessage): Reply => ({ data: qrCodeView(code) });
const one = { description: 'The QR code.', data: qrCodeRecord, example: qrCodeExample };

const list = route({
  id: 'listQrCodes',
  method: 'GET',
  path,
  section,
  summary: 'List QR codes',
  description:
    'Returns QR codes, newest first. Paging neither skips nor repeats a QR code, even if others are created or deleted.',
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
    'Requires exactly one of `url` and `linkId`. Every QR code has its own slug, so that its scans can be counted and its destination can change even after the code has been printed. With `linkId`, each scan also counts as a click of the link.',
  request: {
    body: newQrCode,
    bodyExample: { url: 'https://example.com/spring', title: 'Poster', styleConfig: { dotStyle: 'rounded' } },
  },
  success: { status: 201, ...one },
  errors: ['FORBIDDEN', 'PLAN_LIMIT_EXCEEDED'],
  handle: async ({ body: { styleConfig, ...body } }, { clients, rpc, operation }) => {
    const request = { ...body, ...(styleConfig && { styleConfig: JSON.stringify(styleConfig) }), ...operation };
    return reply(await clients.qrCodes.call('CreateQrCode', request, rpc()));
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
  handle: async ({ params: { id } }, { clients, rpc }) => reply(await clients.qrCodes.call('GetQrCode', { id }, rpc())),
});

const update = route({
  id: 'updateQrCode',
  method: 'PATCH',
  path: `${path}/{id}`,
  section,
  summary: 'Update a QR code',
  description:
    'Absent fields are not changed; null clears an optional field. `url` is only for standalone QR codes. In `styleConfig`, absent fields are not changed either.',
  request: { params, body: qrCodeChange, bodyExample: { title: 'Autumn poster', maxScans: null } },
  success: { status: 200, ...one },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, body: { styleConfig, ...body } }, { clients, rpc }) => {
    const style = styleConfig === undefined ? {} : { styleConfig: styleConfig && JSON.stringify(styleConfig) };
    return reply(await clients.qrCodes.call('UpdateQrCode', { id, ...changeOf({ ...body, ...style }) }, rpc()));
  },
});

const remove = route({
  id: 'deleteQrCode',
  method: 'DELETE',
  path: `${path}/{id}`,
  section,
  summary: 'Delete a QR code',
  description: 'Printed copies of the code stop working. The slug stays reserved for this workspace for 30 days.',
  request: { params },
  success: {
    status: 200,
    description: 'The QR code was deleted.',
    data: deletedRecord('qr'),
    example: deletedOf(QR_CODE_ID),
  },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id } }, { clients, rpc }) => {
    await clients.qrCodes.call('DeleteQrCode', { id }, rpc());
    return { data: deletedOf(id) };
  },
});

const statsExample = qrCodeStatsOf({ ...linkStatsExample, sources: [{ key: 'qr', clicks: 42 }] });

const stats = route({
  id: 'getQrCodeStats',
  method: 'GET',
  path: `${path}/{id}/stats`,
  section,
  summary: 'Get the statistics of a QR code',
  description:
    'Scans are counted within 5 seconds. Bots, prefetches and HEAD requests are not counted as scans. The plan determines how long statistics are kept.',
  request: { params, query: rangeQuery },
  success: { status: 200, description: 'The statistics.', data: qrCodeStatsRecord, example: statsExample },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query }, { clients, rpc }) => ({
    data: qrCodeStatsOf(
      linkStatsView(await clients.stats.call('GetQrCodeStats', { qrCodeId: id, ...query, packedSeries: true }, rpc())),
    ),
  }),
});

export const qrCodeRoutes: Route[] = [list, create, get, update, remove, stats];
