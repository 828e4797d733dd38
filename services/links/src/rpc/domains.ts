import { rpcServices } from '@tautan/proto/rpc';
import { rpcTable, type Call, type RpcTable } from '@tautan/kit/rpc';
import { forCall } from '../deps.js';
import { addDomain } from '../domains/usecases/add-domain.js';
import { deleteDomain } from '../domains/usecases/delete-domain.js';
import type { ApiDeps } from '../usecase-deps.js';
import { getDomain } from '../domains/usecases/get-domain.js';
import { listDomains } from '../domains/usecases/list-domains.js';
import { updateDomain } from '../domains/usecases/update-domain.js';
import { verifyDomain } from '../domains/usecases/verify-domain.js';
import { toWire } from './wire.js';

/** Returns the handlers of the RPCs of custom domains. */
export function domainTable(deps: ApiDeps): RpcTable {
  const of = (call: Call): ApiDeps => forCall(deps, call);
  return rpcTable(rpcServices.domains, {
    ListDomains: async (call) => ({
      domains: (await listDomains(of(call), call.principal())).map((each) => toWire(each)),
    }),
    AddDomain: async (call, request) => toWire(await addDomain(of(call), call.principal(), request)),
    GetDomain: async (call, request) => toWire(await getDomain(of(call), call.principal(), request)),
    UpdateDomain: async (call, request) => toWire(await updateDomain(of(call), call.principal(), request)),
    VerifyDomain: async (call, request) => toWire(await verifyDomain(of(call), call.principal(), request)),
    DeleteDomain: (call, request) => deleteDomain(of(call), call.principal(), request),
  });
}
