import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiExamples } from '@tautan/gateway/openapi';
import { eventually, startDnsServer, type DnsServer } from '@tautan/kit/testing';
import sharp from 'sharp';
import { startConformance, type Conformance, type Reply, type Request } from '../support/conformance.js';
import { probesOf, withValue, type Probe } from '../support/bounds.js';
import { bodyOf, errorsOf, isPublic, operations, queryOf, type Operation } from '../support/description.js';
import { pay, signedProviderWebhook } from '../support/payments.js';
import { aPerson, aWorkspace, demoPerson, type Person } from '../support/people.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { planWith, startStack, type Stack } from '../support/stack.js';

// Calls every operation of the OpenAPI document, and compares its responses with their schemas. The tests build on each
// other.
let dns: DnsServer;
let stack: Stack;
let receiver: Receiver;
let openApi: Conformance;
let demo: Person;
/** Owner of a workspace whose plan allows one resource of each kind. */
let minimalPlanOwner: Person;

beforeAll(async () => {
  dns = await startDnsServer();
  const minimalPlan = planWith({ links: 1, qrCodes: 1, domains: 1, members: 1, webhookEndpoints: 1 });
  stack = await startStack({ env: { DNS_SERVERS: dns.address, PLAN_FREE: minimalPlan } });
  receiver = await startReceiver();
  openApi = await startConformance(stack);
  demo = await demoPerson(stack);
  minimalPlanOwner = await aPerson(stack);
  await aWorkspace(minimalPlanOwner);
});
afterAll(async () => {
  await receiver?.stop();
  await stack?.stop();
  await dns?.stop();
});

interface ApiRecord {
  id: string;
  [field: string]: unknown;
}

/** Sends a request and returns `data`. Throws unless it succeeds. */
async function ok<T = ApiRecord>(id: string, request: Request = {}): Promise<T> {
  const { status, text, data } = await openApi.call(id, request);
  if (status >= 400) throw new Error(`${id}: ${status} ${text}`);
  return data;
}
/** Sends a request and returns the code and field of the error in the response, separated by a space. */
const refused = async (id: string, request: Request): Promise<string> => {
  const { error } = await openApi.call(id, request);
  return [error?.code, error?.field].filter(Boolean).join(' ');
};
const url = 'https://example.com/openapi';
const expectNoProblems = () => expect(openApi.problems.splice(0)).toEqual([]);

test('operations on links, tags and domains respond as documented', async () => {
  const link = await ok('createLink', {
    body: { url, slug: 'openapi', title: 'T', tags: ['a', 'b'], expiresAt: '2099-01-01T00:00:00Z' },
  });
  const params = { id: link.id };
  for (const id of ['getLink', 'getLinkStats', 'exportLinkStats']) await ok(id, { params });
  await ok('exportLinkStats', { params, query: '?format=json' });
  await ok('updateLink', { params, body: { title: null, maxClicks: 5 } });
  await ok('bulkLinks', { body: { action: 'archive', ids: [link.id, 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e'] } });
  await ok('importLinks', { body: { links: [{ url }, { url: 'nonsense' }, { url, slug: 'openapi' }] } });
  await ok('importLinks', { body: { dryRun: true, links: [{ url }, {}] } });
  await ok('listLinks', { query: '?limit=1' });
  for (const format of ['csv', 'json', 'ndjson']) await ok('exportLinks', { query: `?format=${format}` });
  expect(await refused('createLink', { body: { url, slug: 'openapi' } })).toBe('SLUG_TAKEN slug');
  const other = await ok('createLink', { body: { url } });
  expect(await refused('updateLink', { params: { id: other.id }, body: { slug: 'openapi' } })).toBe('SLUG_TAKEN slug');

  const tag = await ok('createTag', { body: { name: 'openapi' } });
  await ok('listTags');
  await ok('renameTag', { params: { id: tag.id }, body: { name: 'openapi 2' } });
  expect(await refused('createTag', { body: { name: 'OpenAPI 2' } })).toBe('TAG_EXISTS name');
  expect(await refused('renameTag', { params: { id: tag.id }, body: { name: 'a' } })).toBe('TAG_EXISTS name');
  await ok('deleteTag', { params: { id: tag.id } });

  const pending = await ok('addDomain', { as: minimalPlanOwner.token, body: { domain: 'go.openapi.example' } });
  const domain = await ok('addDomain', { body: { domain: 'go.openapi.example' } });
  for (const id of ['listDomains', 'getDomain', 'verifyDomain']) await ok(id, { params: { id: domain.id } });
  expect(await refused('addDomain', { body: { domain: 'GO.openapi.example' } })).toBe('DOMAIN_TAKEN domain');
  const [ownership, routing] = domain['dnsRecords'] as { type: string; name: string; value: string }[];
  dns.set(ownership!.name, { TXT: [ownership!.value] });
  dns.set(routing!.name, { [routing!.type]: [routing!.value] });
  expect(await ok('verifyDomain', { params: { id: domain.id } })).toMatchObject({ status: 'verified' });
  await ok('updateDomain', { params: { id: domain.id }, body: { rootUrl: url, brandName: 'Toko' } });
  expect(await refused('verifyDomain', { as: minimalPlanOwner.token, params: { id: pending.id } })).toBe(
    'DOMAIN_TAKEN domain',
  );
  const linkOnDomain = await ok('createLink', { body: { url, domain: 'go.openapi.example' } });
  expect(await refused('deleteDomain', { params: { id: domain.id } })).toBe('DOMAIN_IN_USE');
  await ok('deleteLink', { params: { id: linkOnDomain.id } });
  await ok('deleteDomain', { params: { id: domain.id } });
  expectNoProblems();
});

test('operations on QR codes and their images respond as documented', async () => {
  const code = await ok('createQrCode', { body: { url, title: 'Poster', styleConfig: { dotStyle: 'dots' } } });
  const params = { id: code.id };
  for (const id of ['listQrCodes', 'getQrCode', 'getQrCodeStats']) await ok(id, { params });
  await ok('updateQrCode', { params, body: { tags: ['a'], maxScans: 3 } });
  for (const format of ['png', 'svg']) await ok('downloadQrCode', { params, query: `?format=${format}` });
  await ok('previewQrCode', { query: `?id=${String(code.id)}&styleConfig=${encodeURIComponent('{"margin":4}')}` });
  expect(await refused('previewQrCode', { query: '?id=qr_00000000000000000000000000' })).toBe('NOT_FOUND');
  const { token } = await ok<{ token: string }>('createQrDownloadToken', { params });
  const shown = await openApi.call('showQrCode', { params: { token }, as: '' });
  await openApi.call('showQrCode', {
    params: { token },
    as: '',
    headers: { 'if-none-match': shown.headers.get('etag')! },
  });
  const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0a7a5a' } })
    .png()
    .toBuffer();
  const { logoRunRef } = await ok<{ logoRunRef: string }>('uploadQrLogo', { body: aLogoForm(new Uint8Array(logo)) });
  await ok('getQrLogo', { params: { ref: logoRunRef } });
  await ok('deleteQrCode', { params });
  expectNoProblems();
});

test('operations on webhooks and the audit log respond as documented', async () => {
  const hook = await ok('createWebhook', { body: { url: receiver.url, events: ['tag.created'] } });
  const params = { id: hook.id };
  for (const id of ['listWebhooks', 'listEventTypes']) await ok(id);
  expect(await refused('createWebhook', { body: { url: receiver.url, events: ['*'] } })).toBe('ENDPOINT_EXISTS url');
  const second = await ok('createWebhook', { body: { url: `${receiver.url}/2`, events: ['*'] } });
  expect(await refused('updateWebhook', { params: { id: second.id }, body: { url: receiver.url } })).toBe(
    'ENDPOINT_EXISTS url',
  );
  const mixed = { url: `${receiver.url}/3`, events: ['*', 'tag.created'] };
  expect(await refused('createWebhook', { body: mixed })).toBe('VALIDATION_ERROR events');
  expect(openApi.accepts('createWebhook', mixed)).toBe(false);
  await ok('rotateWebhookSecret', { params });
  const delivery = await ok('testWebhook', { params });
  await eventually(async () =>
    expect(await ok('getDelivery', { params: { id: delivery.id } })).toMatchObject({ status: 'succeeded' }),
  );
  receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 1_000);
  await ok('retryDelivery', { params: { id: delivery.id } });
  expect(await refused('retryDelivery', { params: { id: delivery.id } })).toBe('ALREADY_QUEUED');
  await ok('listDeliveries', { query: '?limit=1' });
  await ok('updateWebhook', { params, body: { active: false } });
  for (const [operationId, id] of [
    ['testWebhook', hook.id],
    ['retryDelivery', delivery.id],
  ] as const)
    expect(await refused(operationId, { params: { id } })).toBe('ENDPOINT_DISABLED');
  await ok('deleteWebhook', { params });
  await ok('listAuditLog', { query: '?limit=5' });
  expectNoProblems();
});

test('operations on workspaces, members, API keys and sessions respond as documented', async () => {
  const as = demo.token;
  for (const id of [
    'listWorkspaces',
    'getCurrentWorkspace',
    'getWorkspaceStats',
    'getSession',
    'getAuthConfiguration',
    'getOpenApi',
  ])
    await ok(id);
  const created = await ok('createWorkspace', { as, body: { name: 'Toko' } });
  const workspaceId = (await stack.quickstart()).workspaceId;
  await ok('switchWorkspace', { as, body: { workspaceId: created.id } });
  await ok('switchWorkspace', { as, body: { workspaceId } });
  await ok('updateCurrentWorkspace', { as, body: { name: 'Demo' } });
  const member = await ok('inviteMember', { as, body: { email: 'tamu@example.com', role: 'viewer' } });
  expect(await refused('inviteMember', { as, body: { email: 'tamu@example.com', role: 'viewer' } })).toBe(
    'ALREADY_MEMBER email',
  );
  await ok('listMembers');
  await ok('changeMemberRole', { as, params: { id: member.id }, body: { role: 'member' } });
  await ok('removeMember', { as, params: { id: member.id } });
  const key = await ok('mintApiKey', { as, body: { label: 'CI' } });
  await ok('listApiKeys');
  await ok('revokeApiKey', { as, params: { id: key.id } });

  const headers = { origin: new URL(stack.baseUrl).origin };
  const login = (): Promise<Reply> =>
    openApi.call('logIn', { as: '', headers, body: { email: demo.email, password: demo.password } });
  await ok('signUp', {
    as: '',
    headers,
    body: { email: 'openapi@example.com', password: 'kata sandi panjang', name: 'Baru' },
  });
  await ok('forgotPassword', { as: '', headers, body: { email: demo.email } });
  const other = await login();
  const cookie = (await login()).headers.getSetCookie()[0]!.split(';')[0]!;
  const withCookie = { as: '', headers: { ...headers, cookie } };
  await ok('getSession', withCookie);
  await ok('refreshSession', withCookie);
  const sessions = await ok<{ id: string; current: boolean }[]>('listSessions', withCookie);
  await ok('revokeSession', { ...withCookie, params: { id: sessions.find(({ current }) => !current)!.id } });
  await ok('revokeOtherSessions', withCookie);
  await ok('logOut', withCookie);
  expect(other.status).toBe(200);
  await ok('beginSignIn', { as: '' });
  expectNoProblems();
});

test('billing operations respond as documented', async () => {
  for (const id of [
    'listPlans',
    'getPlan',
    'getSubscription',
    'getUsage',
    'listBillingHistory',
    'listInvoices',
    'showBillingReturn',
  ])
    await ok(id);
  const as = minimalPlanOwner.token;
  for (const id of ['cancelSubscription', 'resumeSubscription', 'createPortal'])
    expect(await refused(id, { as, body: {} })).toBe('SUBSCRIPTION_STATE');
  expect(await refused('downgradeSubscription', { as, body: { plan: 'FREE' } })).toBe('SUBSCRIPTION_STATE');
  const { checkoutUrl } = await ok<{ checkoutUrl: string }>('createCheckout', { as, body: { plan: 'BUSINESS' } });
  await pay(checkoutUrl);
  await eventually(async () => expect(await ok('getSubscription', { as })).toMatchObject({ status: 'active' }));
  expect(await refused('createCheckout', { as, body: { plan: 'PRO' } })).toBe('SUBSCRIPTION_STATE');
  await ok('createPortal', { as, body: {} });
  await ok('downgradeSubscription', { as, body: { plan: 'PRO' } });
  await ok('resumeSubscription', { as });
  await ok('cancelSubscription', { as });
  await ok('listInvoices', { as, query: '?limit=1' });
  await ok('receiveProviderWebhook', {
    as: '',
    ...(await signedProviderWebhook(stack, '{"id":"evt_1","object":"event","type":"ping","data":{"object":{}}}')),
  });
  expectNoProblems();
});

test('operations that reach a plan limit respond as documented', async () => {
  const owner = await aPerson(stack);
  await aWorkspace(owner);
  const as = owner.token;
  const bodies: [string, (n: number) => object, field: string][] = [
    ['createLink', () => ({ url }), 'links'],
    ['createQrCode', () => ({ url }), 'qrCodes'],
    ['addDomain', (n) => ({ domain: `go${n}.limits.example` }), 'domains'],
    ['createWebhook', (n) => ({ url: `${receiver.url}/limits${n}`, events: ['*'] }), 'webhookEndpoints'],
  ];
  for (const [id, body, field] of bodies) {
    await ok(id, { as, body: body(1) });
    expect(await refused(id, { as, body: body(2) })).toBe(`PLAN_LIMIT_EXCEEDED ${field}`);
  }
  expect(await refused('inviteMember', { as, body: { email: 'dua@example.com', role: 'viewer' } })).toBe(
    'PLAN_LIMIT_EXCEEDED members',
  );
  expectNoProblems();
});

test('errors that many operations share have the documented format', async () => {
  const foreignLink = await ok('createLink', { as: minimalPlanOwner.token, body: { url } });
  for (const each of operations()) {
    const id = each.operationId;
    const params = { id: 'lnk_00000000000000000000000000', ref: 'lgo_00000000000000000000000000', token: 'nonsense' };
    const { as, body } = exampleRequest(each);
    const ask = (request: Request) => openApi.call(id, { params, as, ...(body && { body }), ...request });
    if (each.path.includes('{')) await ask({});
    if (!each['x-ignores-unknown-parameters'])
      expect([id, (await ask({ query: '?unknown=1' })).error?.field]).toEqual([id, 'unknown']);
    if (body) {
      await ask({ body: '{' });
      await ask({ headers: { 'content-type': 'text/plain' } });
    }
    if (isPublic(each)) continue;
    await ask({ as: '' });
    await ask({ headers: { 'x-workspace-id': 'ws_00000000000000000000000000' } });
    if (each['x-person-only']) await ask({ as: stack.apiKey });
  }
  for (const id of ['getLink', 'updateLink', 'deleteLink', 'getLinkStats', 'exportLinkStats']) {
    expect(await refused(id, { params: { id: foreignLink.id }, ...(id === 'updateLink' && { body: {} }) })).toBe(
      'FORBIDDEN',
    );
  }
  // Authentication operations reject unknown accounts, missing sessions, and requests from pages of other sites.
  const foreign = { as: '', headers: { origin: 'https://other.example' } };
  const account = { email: 'siapa@example.com', password: 'bukan ini', name: 'Siapa' };
  const signIn: [string, object][] = [
    ['signUp', account],
    ['logIn', { email: account.email, password: account.password }],
    ['forgotPassword', { email: account.email }],
    ['refreshSession', {}],
    ['logOut', {}],
  ];
  for (const [id, body] of signIn) expect(await refused(id, { ...foreign, body })).toBe('FORBIDDEN');
  expect(await refused('logIn', { as: '', body: signIn[1]![1] })).toBe('UNAUTHENTICATED');
  expect(await refused('refreshSession', { as: '', body: {} })).toBe('UNAUTHENTICATED');
  expect(await refused('finishSignIn', { as: '' })).toBe('UNAUTHENTICATED');
  expect(
    await refused('switchWorkspace', { as: demo.token, body: { workspaceId: 'ws_00000000000000000000000000' } }),
  ).toBe('NOT_FOUND');
  const queries = [
    ['showQrCode', 'size', '?size=1'],
    ['showBillingReturn', 'from', '?from=x'],
    ['beginSignIn', 'returnTo', '?returnTo=//other.example'],
    ['finishSignIn', 'code', '?code='],
  ] as const;
  for (const [id, field, query] of queries)
    expect(await refused(id, { params: { token: 'x' }, as: '', query })).toBe(`VALIDATION_ERROR ${field}`);
  const once = { headers: { 'idempotency-key': 'openapi' } };
  await ok('createTag', { ...once, body: { name: 'once' } });
  await ok('createTag', { ...once, body: { name: 'once' } });
  expect(await refused('createTag', { ...once, body: { name: 'twice' } })).toBe('IDEMPOTENCY_MISMATCH');
  expectNoProblems();
});

/** Returns a form that uploads `file` as a logo. */
function aLogoForm(file: string | Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.append('logo', new Blob([file]), 'logo.png');
  return form;
}

const exampleBodies = apiExamples();

/**
 * Returns a valid credential and the example body of an operation. The body of `uploadQrLogo` is refused, because its
 * file is not an image.
 */
function exampleRequest({ operationId, ...each }: Operation): Pick<Request, 'as' | 'body'> {
  const as = isPublic({ operationId, ...each }) ? '' : each['x-person-only'] ? demo.token : stack.apiKey;
  const takesBody = each.method === 'POST' || each.method === 'PATCH';
  return {
    as,
    ...(takesBody && {
      body:
        operationId === 'uploadQrLogo'
          ? aLogoForm('no image')
          : ((exampleBodies[operationId]?.body as object | undefined) ?? {}),
    }),
  };
}

test('bodies are accepted within the bounds of their schemas, and rejected outside of them', async () => {
  const params = await createExamples();
  // Fields for which a value that matches the schema is not enough: it must name an existing resource, for example.
  const withFurtherRules =
    /^(domain|brandLogoUrl|brandColor|rootUrl|notFoundUrl|expiredUrl|email|password|returnUrl|workspaceId|linkId|logoRunRef|expiresAt|tag|styleConfig\.(\w+Color|foreground|background|gradient.*))$/;
  const differencesOf = async (each: Operation, name: string, { field, value, isValid }: Probe): Promise<string[]> => {
    const { as, body } = exampleRequest(each);
    const probe = withValue({ ...(body as Record<string, unknown>) }, field, value);
    const id = params[each.operationId] ?? 'mem_00000000000000000000000000';
    const { error } = await openApi.call(each.operationId, { params: { id }, as: as!, body: probe });
    const isRefused = error?.code === 'VALIDATION_ERROR' && error.field?.split('.')[0] === name;
    const prefix = `${each.operationId} ${field} = ${JSON.stringify(value).slice(0, 40)}: `;
    const differences =
      isRefused === isValid ? [`${prefix}${isValid ? `rejected: ${error!.message}` : 'accepted'}`] : [];
    return openApi.accepts(each.operationId, probe) === isValid
      ? differences
      : [...differences, `${prefix}the schema disagrees`];
  };
  const found: string[] = [];
  for (const each of operations().filter(({ requestBody }) => requestBody?.content['application/json'])) {
    const probes = Object.entries(bodyOf(each).properties ?? {}).flatMap(([name, schema]) =>
      probesOf(name, schema)
        .filter(({ field, isValid }) => !isValid || !withFurtherRules.test(field))
        .map((probe) => [name, probe] as const),
    );
    // Changes to the same resource wait for each other. On a slow machine, many at once would miss their deadlines.
    while (probes.length > 0) {
      const batch = probes.splice(0, 8).map(([name, probe]) => differencesOf(each, name, probe));
      found.push(...(await Promise.all(batch)).flat());
    }
  }
  expect(found).toEqual([]);
  expectNoProblems();
});

test('query parameters are accepted within the bounds of their schemas, and rejected outside of them', async () => {
  const params = await createExamples();
  // Parameters for which a value that matches the schema is not enough.
  const withFurtherRules =
    /^(cursor|domain|from|to|tz|token|id|styleConfig|logoRunRef|linkId|subscriptionId|tag|q|actor|target|action|returnTo|code|state|iss|error|session|createdBy|createdFrom|createdTo)$/;
  const differencesOf = async ({ operationId }: Operation, { field, value, isValid }: Probe): Promise<string[]> => {
    const id = params[operationId] ?? 'mem_00000000000000000000000000';
    const { error } = await openApi.call(operationId, {
      params: { id, token: 'x' },
      query: `?${field}=${String(value)}`,
    });
    const isRefused = error?.code === 'VALIDATION_ERROR' && error.field === field;
    const found = isValid ? `rejected: ${error?.message}` : 'accepted';
    return isRefused === isValid ? [`${operationId} ${field} = ${String(value)}: ${found}`] : [];
  };
  const found: string[] = [];
  for (const each of operations().filter(({ method }) => method === 'GET')) {
    const probes = queryOf(each)
      .filter(({ name }) => !withFurtherRules.test(name))
      .flatMap(({ name, schema }) => probesOf(name, schema))
      .map((probe) => differencesOf(each, probe));
    found.push(...(await Promise.all(probes)).flat());
  }
  expect(found).toEqual([]);
  expectNoProblems();
});

/** Creates resources. Returns their ids, keyed by the operations that are called with them. */
async function createExamples(): Promise<Record<string, string>> {
  const link = (await ok('createLink', { body: { url } })).id;
  const code = (await ok('createQrCode', { body: { url } })).id;
  const tag = (await ok('createTag', { body: { name: `batas ${Math.random()}` } })).id;
  const hook = (await ok('createWebhook', { body: { url: `${receiver.url}/${Math.random()}`, events: ['*'] } })).id;
  return {
    updateLink: link,
    getLinkStats: link,
    exportLinkStats: link,
    updateQrCode: code,
    getQrCodeStats: code,
    downloadQrCode: code,
    renameTag: tag,
    updateWebhook: hook,
  };
}

test('every operation succeeded at least once, except the one that is tested elsewhere', () => {
  // Requires a browser at the identity provider: see authentication.long.test.ts.
  const testedElsewhere = ['finishSignIn'];
  const succeeded = new Set(
    [...openApi.seen].filter((each) => / [23]\d\d$/.test(each)).map((each) => each.split(' ')[0]),
  );
  const missing = operations()
    .map(({ operationId }) => operationId)
    .filter((id) => !succeeded.has(id));
  expect(missing).toEqual(testedElsewhere);
});

test('every documented error code was returned, except the excluded ones', () => {
  // These codes require a failure, a delay, high load or a large body, or are tested with one operation only.
  const excluded = [
    'TOKEN_EXPIRED',
    'TOO_MANY_REQUESTS',
    'INTERNAL_ERROR',
    'UPSTREAM_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
    'TIMEOUT',
    'PAYLOAD_TOO_LARGE',
    'IDEMPOTENCY_IN_PROGRESS',
    'IDEMPOTENCY_MISMATCH',
  ];
  const documented = operations().flatMap((each) =>
    errorsOf(each)
      .filter(({ code }) => !excluded.includes(code))
      .map(({ status, code }) => `${each.operationId} ${status} ${code}`),
  );
  // Returned only without an identity provider, or with one that does not support the operation.
  const withoutProvider = [
    'signUp',
    'logIn',
    'forgotPassword',
    'beginSignIn',
    'finishSignIn',
    'getAuthConfiguration',
  ].map((id) => `${id} 404 NOT_FOUND`);
  // Returned only with a provider that confirms accounts before their first sign-in.
  const unconfirmed = 'signUp 401 UNAUTHENTICATED';
  expect(documented.filter((each) => !openApi.seen.has(each))).toEqual([unconfirmed, ...withoutProvider]);
});
