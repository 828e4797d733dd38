import { z } from 'zod';
import { findLink } from '../commands/find.js';
import { domain, link, listInput, qrCode, rangeInput } from './schemas.js';
import { tool, type Tool } from './tool.js';

/** Read-only tools. */
export const readTools: Tool[] = [
  tool({
    name: 'search_links',
    title: 'Search links',
    description:
      'Returns a page of the links of the workspace that match all filters, with nextCursor if there are more.',
    input: {
      ...listInput,
      sort: z.enum(['createdAt', 'lastClickAt', 'clickCount']).default('createdAt').describe('Sort key.'),
      order: z.enum(['asc', 'desc']).default('desc').describe('Sort direction.'),
    },
    run: async (api, query) => {
      const { data, nextCursor } = await api.page('/links', { query });
      return { links: data, nextCursor };
    },
  }),
  tool({
    name: 'get_link',
    title: 'Get a link',
    description: 'Returns one link.',
    input: { link, domain },
    run: (api, input) => findLink(api, input.link, input.domain),
  }),
  tool({
    name: 'get_link_stats',
    title: 'Get link statistics',
    description: 'Returns the clicks of a link: totals, time series, countries, devices, referrers and more.',
    input: { link, domain, ...rangeInput },
    run: async (api, { link: idOrSlug, domain: name, ...query }) => {
      const { id } = await findLink(api, idOrSlug, name);
      return api.get('/links/{id}/stats', { path: { id }, query });
    },
  }),
  tool({
    name: 'search_qr_codes',
    title: 'Search QR codes',
    description: 'Returns a page of the QR codes of the workspace that match all filters, newest first.',
    input: {
      ...listInput,
      linkId: z.string().optional().describe('Only QR codes that redirect to this link (lnk_…).'),
    },
    run: async (api, query) => {
      const { data, nextCursor } = await api.page('/qr-codes', { query });
      return { qrCodes: data, nextCursor };
    },
  }),
  tool({
    name: 'get_qr_code',
    title: 'Get a QR code',
    description: 'Returns one QR code.',
    input: { qrCode },
    run: (api, { qrCode: id }) => api.get('/qr-codes/{id}', { path: { id } }),
  }),
  tool({
    name: 'get_qr_code_image',
    title: 'Get the image of a QR code',
    description: 'Returns the image of a QR code as PNG.',
    input: { qrCode, size: z.number().int().min(64).max(2_048).default(300).describe('Width and height in pixels.') },
    run: async (api, { qrCode: id, size }) => {
      const response = await api.fetch('/qr-codes/{id}/download', { path: { id }, query: { format: 'png', size } });
      return { image: Buffer.from(await response.arrayBuffer()), mimeType: 'image/png' };
    },
  }),
  tool({
    name: 'get_qr_code_stats',
    title: 'Get QR code statistics',
    description: 'Returns the scans of a QR code: totals, time series, countries, devices and more.',
    input: { qrCode, ...rangeInput },
    run: (api, { qrCode: id, ...query }) => api.get('/qr-codes/{id}/stats', { path: { id }, query }),
  }),
  tool({
    name: 'get_workspace_stats',
    title: 'Get workspace statistics',
    description: 'Returns the clicks and scans of the whole workspace, with its top links.',
    input: rangeInput,
    run: (api, query) => api.get('/workspaces/current/stats', { query }),
  }),
  tool({
    name: 'get_workspace',
    title: 'Get the workspace',
    description: 'Returns the workspace that all tools work in.',
    input: {},
    run: (api) => api.get('/workspaces/current'),
  }),
  tool({
    name: 'list_tags',
    title: 'List tags',
    description: 'Returns all tags, with the number of links and QR codes of each.',
    input: {},
    run: async (api) => ({ tags: await api.get('/tags') }),
  }),
  tool({
    name: 'list_domains',
    title: 'List domains',
    description: 'Returns all custom domains with their status. Links can be created on verified ones.',
    input: {},
    run: async (api) => ({ domains: await api.get('/domains') }),
  }),
];
