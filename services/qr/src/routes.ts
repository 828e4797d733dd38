import { newId, type Principal } from '@tautan/kit';
import type { RpcClient } from '@tautan/kit/rpc';
import type { QrRoutesDefinition } from '@tautan/proto';
import type { Pending, QrCode, QrRoute } from './domain/qr-code.js';

/** Default timeout of a call. Shorter than the timeouts of all callers, so that they receive the result of a change. */
const TIMEOUT_MS = 1_500;

/** The principal of a request; for background work, only the workspace. */
export type Requester = Principal | { workspaceId: string };

/** Client of the link service's `QrRoutes`. Every method rejects with the link service's error. */
export class Routes {
  constructor(private readonly client: RpcClient<QrRoutesDefinition>) {}

  /**
   * Sends a QR code, which must already have the values that its pending change sets. The timeout is `timeoutMs`, but
   * at least 1.5 s.
   */
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
    const options = { ...callOptions(by ?? { workspaceId }), timeoutMs: Math.max(timeoutMs, TIMEOUT_MS) };
    return this.client.call('PutQrRoute', request, options);
  }

  /** Returns the routes of up to 200 QR codes of the requester's workspace, keyed by QR code id. */
  async of(requester: Requester, qrCodeIds: string[]): Promise<ReadonlyMap<string, QrRoute>> {
    if (qrCodeIds.length === 0) return new Map();
    const { routes } = await this.client.call('ListQrRoutes', { qrCodeIds }, callOptions(requester));
    return new Map(routes.map((route) => [route.qrCodeId, route]));
  }

  async remove(requester: Requester, qrCodeId: string): Promise<void> {
    await this.client.call('RemoveQrRoute', { qrCodeId }, callOptions(requester));
  }

  /**
   * Returns up to `limit` QR codes of any workspace that have reached their expiry time or scan limit, but are still
   * active in the link service.
   */
  async ended(limit: number): Promise<{ qrCodeId: string; workspaceId: string }[]> {
    const { ended } = await this.client.call(
      'ListEndedQrRoutes',
      { limit },
      { requestId: newId('req'), timeoutMs: TIMEOUT_MS },
    );
    return ended;
  }

  /** Returns the ids of tags, each of which is given by name or id; undefined if one of them does not exist. */
  async tagIds(requester: Requester, namesOrIds: string[]): Promise<string[] | undefined> {
    if (namesOrIds.length === 0) return [];
    const { tags } = await this.client.call('FindTags', { namesOrIds }, callOptions(requester));
    const found = new Map(tags.map(({ nameOrId, id }) => [nameOrId, id]));
    const ids = namesOrIds.map((wanted) => found.get(wanted));
    return ids.includes(undefined) ? undefined : [...new Set(ids as string[])];
  }
}

function callOptions(requester: Requester) {
  const principal = 'kind' in requester ? requester : servicePrincipal(requester.workspaceId);
  return { requestId: principal.requestId, principal, timeoutMs: TIMEOUT_MS };
}

const servicePrincipal = (workspaceId: string): Principal => ({
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
