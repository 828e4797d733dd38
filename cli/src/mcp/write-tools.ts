import { z } from 'zod';
import { findLink } from '../commands/find.js';
import { domain, link, linkChange, linkFields, qrChange, qrCode, qrFields, url } from './schemas.js';
import { defined, tool, type Tool } from './tool.js';

/** Tools that create and update records, available with --write. None of them deletes anything. */
export const writeTools: Tool[] = [
  tool({
    name: 'create_link',
    title: 'Create a link',
    description: 'Creates a short link and returns it. shortUrl is the URL to share.',
    input: { url, domain: domain.describe('Verified custom domain. Omit it for the default domain.'), ...linkFields },
    run: (api, fields) => api.post('/links', { body: defined(fields) }),
  }),
  tool({
    name: 'update_link',
    title: 'Update a link',
    description:
      'Updates the given fields of a link and returns it. null clears an optional field; absent fields stay unchanged.',
    input: { link, domain, ...linkChange },
    run: async (api, { link: idOrSlug, domain: name, ...fields }) => {
      const { id } = await findLink(api, idOrSlug, name);
      return api.patch('/links/{id}', { path: { id }, body: defined(fields) });
    },
  }),
  tool({
    name: 'create_qr_code',
    title: 'Create a QR code',
    description: 'Creates a QR code for a URL or a link and returns it. Pass either url or linkId.',
    input: {
      url: url.optional(),
      linkId: z.string().optional().describe('Link that the code redirects to (lnk_…).'),
      ...qrFields,
    },
    run: (api, fields) => api.post('/qr-codes', { body: defined(fields) }),
  }),
  tool({
    name: 'update_qr_code',
    title: 'Update a QR code',
    description:
      'Updates the given fields of a QR code and returns it. Printed copies remain valid. null clears an optional field.',
    input: { qrCode, ...qrChange },
    run: (api, { qrCode: id, ...fields }) => api.patch('/qr-codes/{id}', { path: { id }, body: defined(fields) }),
  }),
];
