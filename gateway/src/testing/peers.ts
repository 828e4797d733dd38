import { createLog, createMetrics, fail, mintApiKey, type Principal } from '@tautan/kit';
import { rpcTable, serveRpc, type Call, type Handlers } from '@tautan/kit/rpc';
import {
  rpcServices,
  type ApiKeysDefinition,
  type IdempotencyDefinition,
  type LinkMessage,
  type LinksDefinition,
  type TagsDefinition,
} from '@tautan/proto';

/** What a peer saw of a call. */
export interface Seen {
  method: string;
  principal: Principal | undefined;
  request: Record<string, unknown>;
}

export interface TestPeers {
  address: string;
  /** A key of a workspace on the BUSINESS plan, and one on FREE. */
  key: string;
  freeKey: string;
  calls: Seen[];
  /** What answers; tests replace single methods. */
  links: Handlers<LinksDefinition>;
  tags: Handlers<TagsDefinition>;
  apiKeys: Handlers<ApiKeysDefinition>;
  idempotency: Handlers<IdempotencyDefinition>;
  stop(): Promise<void>;
}

const NOW = '2030-01-01T00:00:00.000Z';

/** A link as the link service sends it. */
export const aLink = (overrides: Partial<LinkMessage> = {}): LinkMessage => ({
  id: 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e',
  slug: 'abc',
  shortUrl: 'https://go.example/abc',
  url: 'https://example.com/',
  tags: [],
  status: 'active',
  clickCount: 0,
  qrCodeCount: 0,
  createdBy: { type: 'api_key', id: 'key_01jd3x8q4v5w6y7z8a9b0c1d2e' },
  createdAt: NOW,
  updatedAt: NOW,
  ...overrides,
});

const aTag = { id: 'tag_01jd3x8q4v5w6y7z8a9b0c1d2e', name: 'news', linkCount: 1, qrCodeCount: 0, createdAt: NOW, updatedAt: NOW }; // prettier-ignore

/** Peers on one gRPC server that answer what tests of the transport tell them to. They judge no input. */
export async function startPeers(port = 0): Promise<TestPeers> {
  const log = createLog('peers', 'silent');
  const key = mintApiKey().key;
  const freeKey = mintApiKey().key;
  const peers = {
    key,
    freeKey,
    calls: [],
    links: links(),
    tags: tags(),
    apiKeys: apiKeys({ [key]: 'BUSINESS', [freeKey]: 'FREE' }),
    idempotency: idempotency(),
  } as unknown as TestPeers;
  const server = await serveRpc({
    port,
    host: '127.0.0.1',
    log,
    registry: createMetrics('peers'),
    tables: [
      rpcTable(rpcServices.links, watched(peers, 'links')),
      rpcTable(rpcServices.tags, watched(peers, 'tags')),
      rpcTable(rpcServices.apiKeys, watched(peers, 'apiKeys')),
      rpcTable(rpcServices.idempotency, watched(peers, 'idempotency')),
    ],
  });
  return Object.assign(peers, { address: `127.0.0.1:${server.port}`, stop: () => server.stop(500) });
}

/** Handlers that write down each call and ask the table as it stands then. */
function watched<K extends 'links' | 'tags' | 'apiKeys' | 'idempotency'>(peers: TestPeers, name: K): TestPeers[K] {
  const methods = Object.keys(peers[name]).map((method) => {
    const handle = (call: Call, request: Record<string, unknown>) => {
      const table = peers[name] as Record<string, (call: Call, request: unknown) => unknown>;
      peers.calls.push({ method, request, principal: method === 'VerifyApiKey' ? undefined : call.principal() });
      return table[method]!(call, request);
    };
    return [method, handle];
  });
  return Object.fromEntries(methods) as TestPeers[K];
}

const links = (): Handlers<LinksDefinition> => ({
  CreateLink: async (_call, { url, slug }) => aLink({ url, ...(slug !== undefined && { slug }) }),
  GetLink: async () => aLink(),
  ListLinks: async () => ({ links: [aLink()] }),
  UpdateLink: async (_call, { id }) => aLink({ id }),
  DeleteLink: async (_call, { id }) => ({ id }),
  BulkLinks: async (_call, { action, ids }) => ({ action, updated: ids.length, failed: [] }),
  ImportLinks: async (_call, { dryRun, links: rows }) => ({
    dryRun,
    total: rows.length,
    created: rows.filter(({ error }) => !error).length,
    failed: rows.filter(({ error }) => error).length,
    results: rows.map(({ error }, index) => ({ index, status: error ? 'failed' : 'created', error })),
  }),
  ExportLinks: async function* () {
    yield { links: [aLink(), aLink({ title: '=1+1', tags: ['a', 'b'] })] };
  },
});

const tags = (): Handlers<TagsDefinition> => ({
  ListTags: async () => ({ tags: [aTag] }),
  CreateTag: async (_call, { name }) => ({ ...aTag, name }),
  RenameTag: async (_call, { id, name }) => ({ ...aTag, id, name }),
  DeleteTag: async (_call, { id }) => ({ id }),
});

const apiKeys = (known: Record<string, string>): Handlers<ApiKeysDefinition> => ({
  MintApiKey: () => Promise.reject(fail('NOT_FOUND', 'Not here.')),
  RevokeApiKey: () => Promise.reject(fail('NOT_FOUND', 'Not here.')),
  VerifyApiKey: async (_call, { key }) => {
    const plan = known[key];
    if (plan === undefined) throw fail('UNAUTHENTICATED', 'The API key is not valid.');
    return { id: `key_${plan}`, label: plan, workspaceId: `ws_${plan}`, plan };
  },
});

function idempotency(): Handlers<IdempotencyDefinition> {
  const requests = new Map<string, { fingerprint: string; operationId: string; answer?: object; claimed: boolean }>();
  return {
    BeginRequest: async (_call, { key, fingerprint }) => {
      const known = requests.get(key);
      const print = Buffer.from(fingerprint).toString('hex');
      if (known && known.fingerprint !== print) return { state: 'mismatch' };
      if (known?.answer) return { state: 'replay', answer: known.answer };
      if (known?.claimed) return { state: 'in_progress' };
      const operationId = known?.operationId ?? `op${requests.size}`;
      requests.set(key, { fingerprint: print, operationId, claimed: true });
      return { state: 'claimed', operationId };
    },
    CompleteRequest: async (_call, { key, answer }) => {
      requests.get(key)!.answer = answer!;
      return {};
    },
    ReleaseRequest: async (_call, { key }) => {
      requests.get(key)!.claimed = false;
      return {};
    },
  };
}
