import { newId, type Principal } from '@tautan/kit';
import type { RpcClient } from '@tautan/kit/rpc';
import type { QrRoutesDefinition } from '@tautan/proto';
import type { Pending, QrCode, QrRoute } from './domain/qr-code.js';

/** Shorter than any caller of ours waits, so that what became of a change is known before it gives up. */
const TIMEOUT_MS = 1_500;

/** Calls of the link service that change nothing by being repeated at once. */
export const repeatable = ['ListQrRoutes', 'ListEndedQrRoutes', 'FindTags'];

/** Who asks for something of a workspace: the one whose request it is for, or else this service. */
export type Asking = Principal | { workspaceId: string };

/** The link service, as far as QR codes are concerned. Every method rejects with the fault that it answered. */
export class Routes {
  constructor(private readonly client: RpcClient<QrRoutesDefinition>) {}

  /** Tells a change that is under way: the code as it will be. Waits for `timeoutMs`, at least 1.5 s. */
  put(code: QrCode, { version, tags, by }: Pending, timeoutMs = TIMEOUT_MS): Promise<QrRoute> {
    const { _id: qrCodeId, status, url, linkId, expiresAt, maxScans, workspaceId } = code;
    const request = {
      qrCodeId,
      version,
      status,
      ...(url !== null && { url }),
      ...(linkId !== null && { linkId }),
      ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
      ...(maxScans !== null && { maxScans }),
      ...(tags && { tags: { names: tags } }),
    };
    const options = { ...as(by ?? { workspaceId }), timeoutMs: Math.max(timeoutMs, TIMEOUT_MS) };
    return this.client.call('PutQrRoute', request, options);
  }

  /** What there is of some QR codes of the workspace, by their ids; up to 200. */
  async of(asking: Asking, qrCodeIds: string[]): Promise<ReadonlyMap<string, QrRoute>> {
    if (qrCodeIds.length === 0) return new Map();
    const { routes } = await this.client.call('ListQrRoutes', { qrCodeIds }, as(asking));
    return new Map(routes.map((route) => [route.qrCodeId, route]));
  }

  async remove(asking: Asking, qrCodeId: string): Promise<void> {
    await this.client.call('RemoveQrRoute', { qrCodeId }, as(asking));
  }

  /** QR codes of any workspace that have reached a limit and are active at the link service: up to `limit`. */
  async ended(limit: number): Promise<{ qrCodeId: string; workspaceId: string }[]> {
    const { ended } = await this.client.call('ListEndedQrRoutes', { limit }, { requestId: newId('req'), timeoutMs: TIMEOUT_MS }); // prettier-ignore
    return ended;
  }

  /** The ids of tags, by name or id; undefined when one does not exist. */
  async tagIds(asking: Asking, namesOrIds: string[]): Promise<string[] | undefined> {
    if (namesOrIds.length === 0) return [];
    const { tags } = await this.client.call('FindTags', { namesOrIds }, as(asking));
    const found = new Map(tags.map(({ nameOrId, id }) => [nameOrId, id]));
    const ids = namesOrIds.map((wanted) => found.get(wanted));
    return ids.includes(undefined) ? undefined : [...new Set(ids as string[])];
  }
}

function as(asking: Asking) {
  const principal = 'kind' in asking ? asking : ourselves(asking.workspaceId);
  return { requestId: principal.requestId, principal, timeoutMs: TIMEOUT_MS };
}

const ourselves = (workspaceId: string): Principal => ({
  workspaceId,
  kind: 'api_key',
  id: 'qr',
  name: 'qr',
  role: 'admin',
  plan: 'UNLIMITED',
  ip: null,
  userAgent: null,
  requestId: newId('req'),
});
