import { rpcTable, type Call, type RpcTable } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto/rpc';
import { forCall } from '../deps.js';
import type { ApiDeps } from '../usecase-deps.js';
import { findTags } from '../tags/usecases/find-tags.js';
import { listEndedQrRoutes } from '../qr-routes/usecases/list-ended-qr-routes.js';
import { listQrRoutes } from '../qr-routes/usecases/list-qr-routes.js';
import { putQrRoute } from '../qr-routes/usecases/put-qr-route.js';
import { removeQrRoute } from '../qr-routes/usecases/remove-qr-route.js';

/** Returns the handlers of the RPCs that the QR service calls. */
export function qrRoutesTable(deps: ApiDeps): RpcTable {
  const of = (call: Call): ApiDeps => forCall(deps, call);
  return rpcTable(rpcServices.qrRoutes, {
    PutQrRoute: (call, { tags, ...request }) =>
      putQrRoute(of(call), call.principal(), { ...request, tags: tags?.names }),
    RemoveQrRoute: (call, request) => removeQrRoute(of(call), call.principal(), request),
    ListQrRoutes: async (call, request) => ({ routes: await listQrRoutes(of(call), call.principal(), request) }),
    // Called by a sweep over all workspaces, so without a principal.
    ListEndedQrRoutes: async (_, request) => ({ ended: await listEndedQrRoutes(deps, request) }),
    FindTags: async (call, request) => ({ tags: await findTags(of(call), call.principal(), request) }),
  });
}
