import { createLog, createMetrics, fail, type Principal } from '@tautan/kit';
import { rpcTable, serveRpc, type Call, type Handlers } from '@tautan/kit/rpc';
import { generateApiKey } from '@tautan/proto';
import type {
  ApiKeysDefinition,
  IdempotencyDefinition,
  LinkMessage,
  LinksDefinition,
  TagsDefinition,
  UsageDefinition,
} from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import { billing } from './billing.js';
import { domains } from './domains.js';
import { audit, stats } from './stats-and-audit.js';
import {
  identity,
  createPeople,
  members,
  NOW,
  OTHER_WORKSPACE_ID,
  sessions,
  workspaces,
  WORKSPACE_ID,
  type Credentials,
  type PersonName,
} from './people.js';
import { qrCodes } from './qr-codes.js';
import { qrImages } from './qr-images.js';
import { webhooks } from './webhooks.js';

/** A call that the test services received. */
export interface ReceivedCall {
  method: string;
  principal: Principal | undefined;
  request: Record<string, unknown>;
}

/** The gRPC services that the gateway calls. */
type Definitions = Omit<typeof rpcServices, 'qrRoutes'>;

type TestHandlers = { [K in keyof Definitions]: Handlers<Definitions[K]> };

/** The handlers (tests can replace their methods), the credentials that the handlers accept, and the received calls. */
interface RunningHandlers extends TestHandlers {
  /** An API key of a workspace on the BUSINESS plan. */
  key: string;
  /** An API key of a workspace on the FREE plan. */
  freeKey: string;
  people: Record<PersonName, Credentials>;
  calls: ReceivedCall[];
}

export interface TestServices extends RunningHandlers {
  address: string;
  stop(): Promise<void>;
}

/**
 * Returns the requests that a method received, without the fields whose names start with an underscore. The
 * decoder adds these for optional fields.
 */
export const requestsTo = ({ calls }: TestServices, name: string): Record<string, unknown>[] =>
  calls
    .filter(({ method }) => method === name)
    .map(({ request }) => Object.fromEntries(Object.entries(request).filter(([field]) => !field.startsWith('_'))));

/** A link as returned by the link service. */
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

const aTag = {
  id: 'tag_01jd3x8q4v5w6y7z8a9b0c1d2e',
  name: 'news',
  linkCount: 1,
  qrCodeCount: 0,
  createdAt: NOW,
  updatedAt: NOW,
};

/** Starts test services on one gRPC server. Tests can replace their handlers. The services do not validate input. */
export async function startTestServices(port = 0): Promise<TestServices> {
  const log = createLog('services', 'silent');
  const key = generateApiKey().key;
  const freeKey = generateApiKey().key;
  const people = createPeople();
  const handlers: TestHandlers = {
    links: links(),
    tags: tags(),
    domains: domains(),
    stats: stats(),
    qrCodes: qrCodes(),
    qrImages: qrImages(),
    workspaces: workspaces(),
    members: members(),
    identity: identity(people),
    sessions: sessions(people),
    apiKeys: apiKeys({
      [key]: { plan: 'BUSINESS', workspaceId: WORKSPACE_ID },
      [freeKey]: { plan: 'FREE', workspaceId: OTHER_WORKSPACE_ID },
    }),
    audit: audit(),
    idempotency: idempotency(),
    webhooks: webhooks(),
    billing: billing(),
    usage: usage(),
  };
  const testServices: RunningHandlers = { key, freeKey, people, calls: [], ...handlers };
  const names = Object.keys(handlers) as (keyof Definitions)[];
  const server = await serveRpc({
    port,
    host: '127.0.0.1',
    log,
    registry: createMetrics('services'),
    tables: names.map((name) => rpcTable(rpcServices[name], recorded(testServices, name) as never)),
  });
  return Object.assign(testServices, { address: `127.0.0.1:${server.port}`, stop: () => server.stop(500) });
}

/** Methods that are called without a principal. */
const methodsWithoutPrincipal = new Set([
  'RenewRequests',
  'ReleaseInstance',
  'ListPlans',
  'GetCheckout',
  'ReceiveProviderWebhook',
  'RenderByToken',
]);

/** Handlers that record each call, then run the handler that `testServices` has at that time. */
function recorded<K extends keyof Definitions>(testServices: RunningHandlers, name: K): TestHandlers[K] {
  const methods = Object.keys(testServices[name]).map((method) => {
    // Calls before authentication have no principal either.
    const withoutPrincipal =
      name === 'identity' || name === 'sessions' || method === 'VerifyApiKey' || methodsWithoutPrincipal.has(method);
    const handle = (call: Call, request: Record<string, unknown>) => {
      const table = testServices[name] as Record<string, (call: Call, request: unknown) => unknown>;
      testServices.calls.push({ method, request, principal: withoutPrincipal ? undefined : call.principal() });
      return table[method]!(call, request);
    };
    return [method, handle];
  });
  return Object.fromEntries(methods) as TestServices[K];
}

const links = (): Handlers<LinksDefinition> => ({
  CreateLink: async (_call, { url, slug }) => aLink({ url, ...(slug !== undefined && { slug }) }),
  GetLink: async () => aLink(),
  ListLinks: async () => ({ links: [aLink()] }),
  UpdateLink: async (_call, { id }) => aLink({ id }),
  DeleteLink: async (_call, { id }) => ({ id }),
  BulkLinks: async (_call, { action, ids }) => ({ action, updated: ids.length, unchanged: 0, failed: [] }),
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

/** All services share one server, so each reports the usage of all. */
const usage = (): Handlers<UsageDefinition> => ({
  GetUsage: async () => ({ used: { links: 12, qrCodes: 3, domains: 1, members: 2, clicks: 4_210 } }),
});

const tags = (): Handlers<TagsDefinition> => ({
  ListTags: async () => ({ tags: [aTag] }),
  CreateTag: async (_call, { name }) => ({ ...aTag, name }),
  RenameTag: async (_call, { id, name }) => ({ ...aTag, id, name }),
  DeleteTag: async (_call, { id }) => ({ id }),
});

const KEY_ID = 'key_01jd3x8q4v5w6y7z8a9b0c1d2e';

const apiKeys = (known: Record<string, { plan: string; workspaceId: string }>): Handlers<ApiKeysDefinition> => ({
  MintApiKey: async (_call, { label }) => ({ id: KEY_ID, label, ...generateApiKey(), createdAt: NOW }),
  RevokeApiKey: async (_call, { id }) => ({ id }),
  ListApiKeys: async () => ({
    apiKeys: [{ id: KEY_ID, label: 'CI', prefix: 'tau_live_abcdef', createdByType: 'system', createdAt: NOW }],
  }),
  VerifyApiKey: async (_call, { key }) => {
    const found = known[key];
    if (!found) throw fail('UNAUTHENTICATED', 'The API key is not valid.');
    return { id: `key_${found.plan}`, label: found.plan, ...found };
  },
});

function idempotency(): Handlers<IdempotencyDefinition> {
  const requests = new Map<string, { fingerprint: string; operationId: string; answer?: object; claimed: boolean }>();
  return {
    BeginRequest: async (_call, { key, fingerprint }) => {
      const known = requests.get(key);
      const hex = Buffer.from(fingerprint).toString('hex');
      if (known && known.fingerprint !== hex) return { state: 'mismatch' };
      if (known?.answer) return { state: 'replay', answer: known.answer };
      if (known?.claimed) return { state: 'in_progress' };
      const operationId = known?.operationId ?? `op${requests.size}`;
      requests.set(key, { fingerprint: hex, operationId, claimed: true });
      return { state: 'claimed', operationId, claimId: `claim of ${key}`, leaseMs: 3_000 };
    },
    RenewRequests: async () => ({ lost: [] }),
    ReleaseInstance: async () => ({}),
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
