import { rpcServices } from '@tautan/proto';
import { rpcTable, type RpcTable } from '@tautan/kit/rpc';
import { addDomain } from '../usecases/add-domain.js';
import { deleteDomain } from '../usecases/delete-domain.js';
import type { ApiDeps } from '../usecases/deps.js';
import { getDomain } from '../usecases/get-domain.js';
import { listDomains } from '../usecases/list-domains.js';
import { verifyDomain } from '../usecases/verify-domain.js';
import { toWire } from './wire.js';

/** The RPCs of custom domains. */
export const domainTable = (deps: ApiDeps): RpcTable =>
  rpcTable(rpcServices.domains, {
    ListDomains: async (call) => ({ domains: (await listDomains(deps, call.principal())).map((each) => toWire(each)) }),
    AddDomain: async (call, request) => toWire(await addDomain(deps, call.principal(), request)),
    GetDomain: async (call, request) => toWire(await getDomain(deps, call.principal(), request)),
    VerifyDomain: async (call, request) => toWire(await verifyDomain(deps, call.principal(), request)),
    DeleteDomain: (call, request) => deleteDomain(deps, call.principal(), request),
  });
