import { rpcServices } from '@tautan/proto/rpc';
import { rpcTable, type Call, type RpcTable } from '@tautan/kit/rpc';
import { forCall } from './deps.js';
import { domainTable } from './rpc/domains.js';
import { qrRoutesTable } from './rpc/qr-routes.js';
import { toWire } from './rpc/wire.js';
import { bulkLinks } from './links/usecases/bulk-links.js';
import { createLink } from './links/usecases/create-link.js';
import { createTag } from './tags/usecases/create-tag.js';
import { deleteLink } from './links/usecases/delete-link.js';
import { deleteTag } from './tags/usecases/delete-tag.js';
import type { ApiDeps } from './usecase-deps.js';
import { exportLinks } from './links/usecases/export-links.js';
import { getLink } from './links/usecases/get-link.js';
import { exportLinkStats } from './stats/usecases/export-link-stats.js';
import { getLinkStats } from './stats/usecases/get-link-stats.js';
import { getQrCodeStats } from './stats/usecases/get-qr-code-stats.js';
import { getUsage } from './links/usecases/get-usage.js';
import { getWorkspaceStats } from './stats/usecases/get-workspace-stats.js';
import { importLinks } from './links/usecases/import-links.js';
import { listLinks } from './links/usecases/list-links.js';
import { listTags } from './tags/usecases/list-tags.js';
import { renameTag } from './tags/usecases/rename-tag.js';
import { updateLink } from './links/usecases/update-link.js';

/** Number of links in one message of an export. Larger messages cost the reader memory and save no time. */
const EXPORT_MESSAGE = 100;

/** Returns the handlers of the RPCs of this service, except those for operators. */
export function rpcTables(deps: ApiDeps): RpcTable[] {
  const of = (call: Call): ApiDeps => forCall(deps, call);
  return [
    rpcTable(rpcServices.links, {
      CreateLink: async (call, request) => toWire(await createLink(of(call), call.principal(), request)),
      GetLink: async (call, request) => toWire(await getLink(of(call), call.principal(), request)),
      ListLinks: async (call, request) => {
        const { links, nextCursor } = await listLinks(of(call), call.principal(), request);
        return { links: links.map((link) => toWire(link)), ...(nextCursor !== undefined && { nextCursor }) };
      },
      UpdateLink: async (call, { tags, ...request }) =>
        toWire(await updateLink(of(call), call.principal(), { ...request, tags: tags?.names })),
      DeleteLink: (call, request) => deleteLink(of(call), call.principal(), request),
      BulkLinks: (call, request) => bulkLinks(of(call), call.principal(), request),
      ImportLinks: (call, request) => importLinks(of(call), call.principal(), request),
      ExportLinks: async function* (call) {
        for await (const links of exportLinks(of(call), call.principal())) {
          for (let from = 0; from < links.length; from += EXPORT_MESSAGE) {
            yield { links: links.slice(from, from + EXPORT_MESSAGE).map((link) => toWire(link)) };
          }
        }
      },
    }),
    rpcTable(rpcServices.tags, {
      ListTags: async (call) => ({ tags: await listTags(of(call), call.principal()) }),
      CreateTag: (call, request) => createTag(of(call), call.principal(), request),
      RenameTag: (call, request) => renameTag(of(call), call.principal(), request),
      DeleteTag: (call, request) => deleteTag(of(call), call.principal(), request),
    }),
    rpcTable(rpcServices.stats, {
      GetLinkStats: (call, request) => getLinkStats(of(call), call.principal(), request),
      ExportLinkStats: (call, request) => exportLinkStats(of(call), call.principal(), request),
      GetQrCodeStats: (call, request) => getQrCodeStats(of(call), call.principal(), request),
      GetWorkspaceStats: (call, request) => getWorkspaceStats(of(call), call.principal(), request),
    }),
    domainTable(deps),
    qrRoutesTable(deps),
    rpcTable(rpcServices.usage, {
      GetUsage: async (call) => ({ used: await getUsage(deps, call.principal()) }),
    }),
  ];
}
