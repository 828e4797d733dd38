import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { API_KEY, startService, type ReceivedRequest, type TestService } from './testing/service.js';
import { tautanAt, type Run, type Tautan } from './testing/tautan.js';

// The command groups for tags, domains, workspaces, keys, QR codes and webhook endpoints.
let service: TestService;
let tautan: Tautan;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => {
  tautan = tautanAt(service.url);
  service.requests.length = 0;
});
afterEach(() => tautan.remove());
afterAll(() => service.stop());

const run = (args: string, env: Record<string, string> = { TAUTAN_API_KEY: API_KEY }): Promise<Run> =>
  tautan.run(args.split(' '), { env });
const lastRequest = (): ReceivedRequest => service.requests.at(-1)!;
const deleted = ({ path }: ReceivedRequest) => ({ data: { id: path.split('/').at(-1), deleted: true } });

describe('tags', () => {
  const tag = {
    id: 'tag_01jd3x8q4v5w6y7z8a9b0c1d2e',
    name: 'Newsletter',
    linkCount: 1_200,
    qrCodeCount: 0,
    createdAt: '2026-04-01T08:00:00.000Z',
  };
  beforeEach(() => {
    service.on('GET /tags', () => ({ data: [tag] }));
    service.on('POST /tags', ({ body }) => ({ status: 201, data: { ...tag, ...(body as object) } }));
    service.on('PATCH /tags/*', ({ body }) => ({ data: { ...tag, ...(body as object) } }));
    service.on('DELETE /tags/*', deleted);
  });

  test('are listed', async () => {
    expect((await run('tags list')).stdout.split('\n')).toEqual([
      'NAME        LINKS  QR CODES  CREATED     ID',
      'Newsletter  1,200         0  1 Apr 2026  tag_01jd3x8q4v5w6y7z8a9b0c1d2e',
      '',
    ]);
    expect((await run('tags list --json')).json()).toEqual([tag]);
  });

  test('list prints how to create a tag if there are none', async () => {
    service.on('GET /tags', () => ({ data: [] }));
    expect((await run('tags list')).stdout).toContain('tautan tags create');
  });

  test('are created, renamed and deleted by id or case-insensitive name', async () => {
    expect((await run('tags create spring')).stdout).toContain('spring');
    expect((await run('tags rename newsletter letters')).stdout).toContain('Renamed Newsletter to letters');
    expect(lastRequest()).toMatchObject({ method: 'PATCH', path: `/tags/${tag.id}`, body: { name: 'letters' } });
    expect((await run(`tags delete ${tag.id} --yes --json`)).json()).toEqual({ id: tag.id, deleted: true });
  });

  test('that do not exist are an error', async () => {
    const { code, stderr } = await run('tags rename autumn winter');
    expect(stderr).toContain('No tag found: autumn.');
    expect(code).toBe(4);
  });
});

describe('domains', () => {
  const dnsRecords = [
    {
      type: 'TXT',
      name: '_tautan.go.example.com',
      value: 'tautan-verify=abc',
      purpose: 'ownership',
      found: [],
      ok: false,
    },
    { type: 'CNAME', name: 'go.example.com', value: 'links.example.net', purpose: 'routing', found: [], ok: false },
  ];
  const domain = {
    id: 'dom_01jd3x8q4v5w6y7z8a9b0c1d2e',
    domain: 'go.example.com',
    status: 'pending',
    dnsRecords,
    verifiedAt: null,
    lastCheckedAt: null,
    lastError: null,
    linkCount: 3,
    createdAt: '2026-04-01T08:00:00.000Z',
  };
  const checkedDomain = { ...domain, lastCheckedAt: '2026-04-01T09:00:00.000Z' };
  beforeEach(() => {
    service.on('GET /domains', () => ({ data: [domain] }));
    service.on('POST /domains', () => ({ status: 201, data: domain }));
    service.on('DELETE /domains/*', deleted);
  });

  test('are added with the required DNS records', async () => {
    const { stdout, code } = await run('domains add go.example.com');
    expect(code).toBe(0);
    expect(lastRequest().body).toEqual({ domain: 'go.example.com' });
    expect(stdout).toMatch(/^TXT +_tautan\.go\.example\.com +tautan-verify=abc$/m);
    expect(stdout).toMatch(/^CNAME +go\.example\.com +links\.example\.net$/m);
    expect(stdout).toContain('tautan domains verify go.example.com');
  });

  test('are listed', async () => {
    expect((await run('domains list')).stdout).toMatch(/^go\.example\.com +pending +3 /m);
    service.on('GET /domains', () => ({ data: [] }));
    expect((await run('domains list')).stdout).toContain('tautan domains add');
  });

  test('are verified by name; missing records are an error', async () => {
    const lastError = 'go.example.com has no CNAME record links.example.net.';
    service.on(`POST /domains/${domain.id}/verify`, () => ({
      data: { ...checkedDomain, status: 'failed', lastError },
    }));
    const failed = await run('domains verify GO.example.com');
    expect(lastRequest().path).toBe(`/domains/${domain.id}/verify`);
    expect(failed.stdout).toMatch(/^✗ +CNAME/m);
    expect(failed.stderr).toContain(lastError);
    expect(failed.code).toBe(1);
    const correctRecords = dnsRecords.map((record) => ({ ...record, found: [record.value], ok: true }));
    service.on(`POST /domains/${domain.id}/verify`, () => ({
      data: { ...checkedDomain, status: 'verified', dnsRecords: correctRecords },
    }));
    const { stdout, code } = await run('domains verify go.example.com');
    expect(stdout).toMatch(/^✓ +CNAME +go\.example\.com +links\.example\.net +links\.example\.net$/m);
    expect(stdout).toContain('go.example.com is verified');
    expect(code).toBe(0);
    expect((await run('domains verify go.example.com --json')).json()).toMatchObject({ status: 'verified' });
  });

  test.each(['münchen.example', 'MÜNCHEN.example.', 'xn--mnchen-3ya.example'])(
    'with special characters are found by name: %s',
    async (name) => {
      service.on('GET /domains', () => ({
        data: [domain, { ...domain, id: 'dom_2', domain: 'xn--mnchen-3ya.example' }],
      }));
      expect((await run(`domains delete ${name} --yes --json`)).json()).toEqual({ id: 'dom_2', deleted: true });
    },
  );

  test('are deleted after confirmation', async () => {
    expect((await run('domains delete go.example.com')).code).toBe(2);
    expect((await run(`domains delete ${domain.id} --yes --json`)).json()).toEqual({ id: domain.id, deleted: true });
  });
});

describe('workspaces', () => {
  const acme = {
    id: 'ws_01jd3x8q4v5w6y7z8a9b0c1d2e',
    name: 'Acme',
    role: 'owner',
    plan: 'PRO',
    linkCount: 3,
    memberCount: 2,
    current: true,
  };
  const side = { ...acme, id: 'ws_01jd3x8q4v5w6y7z8a9b0c1d2f', name: 'Side', current: false };
  beforeEach(async () => {
    service.on('GET /workspaces', () => ({ data: [acme, side] }));
    service.on('POST /workspaces/switch', () => ({ data: { ...side, current: true } }));
    service.on('GET /tags', () => ({ data: [] }));
    expect((await run('login', {})).code).toBe(0);
  });

  test('are listed with the current one marked', async () => {
    const { stdout } = await run('workspaces list', {});
    expect(stdout).toMatch(/^● {2}Acme/m);
    expect(stdout).toMatch(/^ {3}Side/m);
  });

  test('switch changes the workspace at the service and for later commands', async () => {
    expect((await run('workspaces switch side', {})).stdout).toContain('Switched to Side');
    expect(lastRequest()).toMatchObject({ path: '/workspaces/switch', body: { workspaceId: side.id } });
    await run('tags list', {});
    expect(lastRequest().headers['x-workspace-id']).toBe(side.id);
    await run(`tags list --workspace ${acme.id}`, {});
    expect(lastRequest().headers['x-workspace-id']).toBe(acme.id);
    expect((await run('workspaces list', {})).stdout).toMatch(/^● {2}Side/m);
    // The list does not depend on the selected workspace: a user who was removed from it must be able to switch.
    expect(lastRequest().headers['x-workspace-id']).toBeUndefined();
  });

  test('selected by a user are not sent in requests with an API key', async () => {
    await run('workspaces switch side', {});
    await run('tags list');
    expect(lastRequest().headers['x-workspace-id']).toBeUndefined();
    expect((await run('workspaces list')).stdout).toMatch(/^● {2}Acme/m);
  });

  test('with the same name must be selected by id', async () => {
    service.on('GET /workspaces', () => ({ data: [acme, { ...side, name: 'acme' }] }));
    expect((await run('workspaces switch Acme', {})).code).toBe(2);
    expect((await run(`workspaces switch ${side.id}`, {})).code).toBe(0);
  });
});

describe('keys', () => {
  const key = {
    id: 'key_01jd3x8q4v5w6y7z8a9b0c1d2e',
    label: 'CI',
    prefix: 'tau_live_8Kf3aQ',
    lastUsedAt: null,
    createdAt: '2026-04-01T08:00:00.000Z',
  };
  beforeEach(() => {
    service.on('GET /auth/api-keys', () => ({ data: [key] }));
    service.on('POST /auth/api-keys', () => ({ status: 201, data: { ...key, key: 'tau_live_secret' } }));
    service.on('DELETE /auth/api-keys/*', deleted);
  });

  test('create prints only the key on standard output, and a warning on standard error', async () => {
    const { stdout, stderr } = await run('keys create CI');
    expect(stdout).toBe('tau_live_secret\n');
    expect(stderr).toContain('only once');
    expect(lastRequest().body).toEqual({ label: 'CI' });
  });

  test('are listed without their secret', async () => {
    expect((await run('keys list')).stdout).toMatch(/^CI +tau_live_8Kf3aQ… +never +1 Apr 2026 +key_/m);
  });

  test('are revoked by case-insensitive label or id after confirmation', async () => {
    expect((await run('keys revoke CI')).code).toBe(2);
    for (const name of ['ci', key.id]) {
      service.requests.length = 0;
      expect((await run(`keys revoke ${name} --yes`)).code).toBe(0);
      expect(lastRequest()).toMatchObject({ method: 'DELETE', path: `/auth/api-keys/${key.id}` });
    }
  });
});

test('a QR code on a later page of the list is found by its slug', async () => {
  const codes = Array.from({ length: 300 }, (_, i) => ({ id: `qr_${i}`, slug: `promo${i}`, scanCount: 0 }));
  service.on('GET /qr-codes', ({ query }) => {
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Number(query.get('limit'));
    const hasMore = end < codes.length;
    return { data: codes.slice(start, end), page: { limit: 200, hasMore, nextCursor: hasMore ? String(end) : null } };
  });
  service.on('DELETE /qr-codes/*', deleted);
  expect((await run('qr delete PROMO250 --yes --json')).json()).toEqual({ id: 'qr_250', deleted: true });
  expect((await run('qr delete promo300 --yes')).code).toBe(4);
});

describe('webhook endpoints', () => {
  beforeEach(() => {
    const types = ['link.created', 'tag.created', 'tag.deleted'].map((type) => ({ type }));
    service.on('GET /webhooks/event-types', () => ({ data: types }));
    service.on('POST /webhooks', ({ body }) => ({
      status: 201,
      data: { id: 'whe_1', secret: 's', ...(body as object) },
    }));
  });
  const create = (events: string) =>
    tautan.run(['webhooks', 'create', 'https://example.com/hook', '--events', events], {
      env: { TAUTAN_API_KEY: API_KEY },
    });

  test('are created with event types separated by commas and spaces', async () => {
    expect((await create('link.created, tag.*')).code).toBe(0);
    expect(lastRequest().body).toMatchObject({ events: ['link.created', 'tag.created', 'tag.deleted'] });
  });

  describe('are found by URL', () => {
    const urls = ['https://hooks.example.com/', 'https://example.com/hook', 'https://xn--mnchen-3ya.example/hook'];
    beforeEach(() => {
      service.on('GET /webhooks', () => ({ data: urls.map((url, at) => ({ id: `whe_${at}`, url })) }));
      service.on('DELETE /webhooks/*', deleted);
    });
    const remove = (url: string) => run(`webhooks delete ${url} --yes --json`);

    test.each([
      ['https://hooks.example.com', 'whe_0'],
      ['https://example.com:443/hook', 'whe_1'],
      ['HTTPS://Example.com/hook#x', 'whe_1'],
      ['https://münchen.example/hook', 'whe_2'],
    ])('%s', async (url, id) => {
      expect((await remove(url)).json()).toEqual({ id, deleted: true });
    });

    test('only if the path matches exactly, including its case', async () => {
      expect((await remove('https://example.com/Hook')).code).toBe(4);
      const other = { id: 'whe_3', url: 'https://example.com/Hook' };
      service.on('GET /webhooks', () => ({ data: [{ id: 'whe_1', url: urls[1] }, other] }));
      expect((await remove('https://example.com/Hook')).json()).toEqual({ id: 'whe_3', deleted: true });
    });
  });

  test('are not created without an event type', async () => {
    expect(await create(' , ')).toMatchObject({ code: 2, stderr: expect.stringContaining('contains no event type') });
  });
});
