import { rpcServices } from '@tautan/proto';
import { rpcTable, type RpcTable } from '@tautan/kit/rpc';
import { domainTable } from './rpc/domains.js';
import { qrRoutesTable } from './rpc/qr-routes.js';
import { toWire } from './rpc/wire.js';
import { bulkLinks } from './usecases/bulk-links.js';
import { createLink } from './usecases/create-link.js';
import { createTag } from './usecases/create-tag.js';
import { deleteLink } from './usecases/delete-link.js';
import { deleteTag } from './usecases/delete-tag.js';
import type { ApiDeps } from './usecases/deps.js';
import { exportLinks } from './usecases/export-links.js';
import { getLink } from './usecases/get-link.js';
import { getLinkStats } from './usecases/get-link-stats.js';
import { getQrCodeStats } from './usecases/get-qr-code-stats.js';
import { getWorkspaceStats } from './usecases/get-workspace-stats.js';
import { importLinks } from './usecases/import-links.js';
import { listLinks } from './usecases/list-links.js';
import { listTags } from './usecases/list-tags.js';
import { renameTag } from './usecases/rename-tag.js';
import { updateLink } from './usecases/update-link.js';

/** Links in one message of an export: the reader holds several messages, and larger ones cost it memory, not time. */
const EXPORT_MESSAGE = 100;

/** Every RPC of this service and the use case that answers it. */
export const rpcTables = (deps: ApiDeps): RpcTable[] => [
  rpcTable(rpcServices.links, {
    CreateLink: async (call, request) => toWire(await createLink(deps, call.principal(), request)),
    GetLink: async (call, request) => toWire(await getLink(deps, call.principal(), request)),
    ListLinks: async (call, request) => {
      const { links, nextCursor } = await listLinks(deps, call.principal(), request, call.deadline);
      return { links: links.map((link) => toWire(link)), ...(nextCursor !== undefined && { nextCursor }) };
    },
    UpdateLink: async (call, { tags, ...request }) =>
      toWire(await updateLink(deps, call.principal(), { ...request, tags: tags?.names })),
    DeleteLink: (call, request) => deleteLink(deps, call.principal(), request),
    BulkLinks: (call, request) => bulkLinks(deps, call.principal(), request, call.deadline),
    ImportLinks: (call, request) => importLinks(deps, call.principal(), request, call.signal),
    ExportLinks: async function* (call) {
      for await (const links of exportLinks(deps, call.principal(), call.deadline)) {
        for (let from = 0; from < links.length; from += EXPORT_MESSAGE) {
          yield { links: links.slice(from, from + EXPORT_MESSAGE).map((link) => toWire(link)) };
        }
      }
    },
  }),
  rpcTable(rpcServices.tags, {
    ListTags: async (call) => ({ tags: await listTags(deps, call.principal()) }),
    CreateTag: (call, request) => createTag(deps, call.principal(), request),
    RenameTag: (call, request) => renameTag(deps, call.principal(), request),
    DeleteTag: (call, request) => deleteTag(deps, call.principal(), request),
  }),
  rpcTable(rpcServices.stats, {
    GetLinkStats: (call, request) => getLinkStats(deps, call.principal(), request),
    GetQrCodeStats: (call, request) => getQrCodeStats(deps, call.principal(), request),
    GetWorkspaceStats: (call, request) => getWorkspaceStats(deps, call.principal(), request),
  }),
  domainTable(deps),
  qrRoutesTable(deps),
];
