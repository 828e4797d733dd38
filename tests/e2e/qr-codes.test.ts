import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import {
  aLink,
  apiClient,
  aQrCode,
  listAll,
  type ApiResponse,
  type ApiLink,
  type ApiQrCode,
  type ApiTag,
  type Client,
} from '../support/client.js';
import { accepted, aPerson, demoPerson } from '../support/people.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';
import { recordEvents, type EventRecorder } from '../support/event-recorder.js';
import { BOT, visit } from '../support/visitor.js';

// QR codes, except their images.
let stack: Stack;
let api: Client;
let recorder: EventRecorder;

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
  recorder = await recordEvents(api);
});
afterAll(async () => {
  await recorder?.stop();
});

const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code, error?.field];
const getCode = async (id: string) => accepted(await api.get<ApiQrCode>(`/qr-codes/${id}`));
const updateCode = async (id: string, fields: object) =>
  accepted(await api.patch<ApiQrCode>(`/qr-codes/${id}`, fields));
const scan = async ({ slug }: ApiQrCode, options = {}) => (await visit(stack.baseUrl, `/${slug}`, options)).status;
/** Waits until a QR code redirects to a location. Sends HEAD requests, which are not counted as scans. */
const untilLocation = ({ slug }: ApiQrCode, location: string) =>
  eventually(async () => {
    const { headers } = await visit(stack.baseUrl, `/${slug}`, { method: 'HEAD' });
    expect(headers['location']).toBe(location);
  }, 1_000);
const untilCode = (id: string, part: Partial<ApiQrCode>) =>
  eventually(async () => expect(await getCode(id)).toMatchObject(part), 20_000);

describe('a QR code', () => {
  test('has every field of the contract; unset fields have their defaults', async () => {
    const code = await aQrCode(api, { url: 'https://example.com/record' });
    expect(code).toEqual({
      id: expect.stringMatching(/^qr_/),
      title: null,
      url: 'https://example.com/record',
      linkId: null,
      slug: expect.stringMatching(/^[23456789abcdefghjkmnpqrstuvwxyz]{7}$/),
      shortUrl: `${stack.baseUrl}/${code.slug}`,
      styleConfig: expect.objectContaining({
        foreground: '#000000',
        background: '#ffffff',
        size: 600,
        margin: 2,
        errorCorrection: 'M',
        dotStyle: 'square',
        markerBorder: 'square',
        markerCenter: 'square',
        gradient: null,
        logoScale: 0.2,
      }),
      logoRunRef: null,
      tags: [],
      status: 'active',
      expiresAt: null,
      maxScans: null,
      scanCount: 0,
      lastScanAt: null,
      createdBy: { type: 'api_key', id: expect.stringMatching(/^key_/) },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await getCode(code.id)).toEqual(code);
  });

  test('of a link has the values of all fields that were set on creation', async () => {
    const link = await aLink(api);
    const fields = {
      linkId: link.id,
      title: 'Poster',
      tags: ['beta', 'Alpha'],
      expiresAt: '2099-12-31T23:59:59.999Z',
      maxScans: 7,
      styleConfig: { size: 300, dotStyle: 'dots' },
    };
    const code = await aQrCode(api, fields);
    expect(code).toMatchObject({ ...fields, url: link.url, tags: ['Alpha', 'beta'] });
    expect(await getCode(code.id)).toEqual(code);
    expect(accepted(await api.get<ApiLink>(`/links/${link.id}`)).qrCodeCount).toBe(1);
  });

  test.each([
    ['url', {}],
    ['url', { url: 'https://example.com/', linkId: 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e' }],
    ['url', { url: 'nonsense' }],
    ['linkId', { linkId: 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e' }],
    ['title', { url: 'https://example.com/', title: 'x'.repeat(201) }],
    ['maxScans', { url: 'https://example.com/', maxScans: 0 }],
    ['expiresAt', { url: 'https://example.com/', expiresAt: '2020-01-01T00:00:00Z' }],
    ['styleConfig.colour', { url: 'https://example.com/', styleConfig: { colour: 'red' } }],
    ['slug', { url: 'https://example.com/', slug: 'mine' }],
  ])('is rejected for an invalid %s: %j', async (field, body) => {
    expect(errorOf(await api.post('/qr-codes', body))).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  test('is created once per Idempotency-Key', async () => {
    const send = () =>
      api.post<ApiQrCode>('/qr-codes', { url: 'https://example.com/' }, { 'idempotency-key': 'cetak-1' });
    const [first, second] = [await send(), await send()];
    expect(second.data).toEqual(first.data);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('belongs to its workspace, whose viewers can only read it', async () => {
    const code = await aQrCode(api);
    const guest = await aPerson(stack);
    const owner = await demoPerson(stack);
    const { workspaceId } = await stack.quickstart();
    accepted(await guest.api.get('/workspaces'));
    expect((await guest.api.get(`/qr-codes/${code.id}`)).error?.code).toBe('FORBIDDEN');
    accepted(await owner.in(workspaceId).post('/workspaces/current/members', { email: guest.email, role: 'viewer' }));
    accepted(await guest.api.get('/workspaces'));
    const viewer = guest.in(workspaceId);
    await eventually(async () => expect((await viewer.get(`/qr-codes/${code.id}`)).status).toBe(200));
    expect((await viewer.patch(`/qr-codes/${code.id}`, { title: 'x' })).error?.code).toBe('FORBIDDEN');
    expect((await viewer.post('/qr-codes', { url: 'https://example.com/' })).error?.code).toBe('FORBIDDEN');
  });
});

describe('scans', () => {
  test("redirect to the QR code's destination, and only those by humans are counted", async () => {
    const code = await aQrCode(api, { url: 'https://example.com/a' });
    const { status, headers } = await visit(stack.baseUrl, `/${code.slug}`);
    expect([status, headers['location']]).toEqual([302, 'https://example.com/a']);
    await scan(code, { method: 'HEAD' });
    await scan(code, { userAgent: BOT });
    await updateCode(code.id, { url: 'https://example.com/b' });
    await untilLocation(code, 'https://example.com/b');
    await scan(code);
    await untilCode(code.id, { scanCount: 2, lastScanAt: expect.any(String) as unknown as string });
    await eventually(async () => {
      const { data } = await api.get<Record<string, unknown>>(`/qr-codes/${code.id}/stats`);
      expect(data).toMatchObject({ totals: { scans: 2, uniques: 1, bots: 1 }, sources: [{ key: 'qr', scans: 2 }] });
      const points = data['timeSeries'] as { scans: number }[];
      expect(points.reduce((sum, { scans }) => sum + scans, 0)).toBe(2);
    }, 5_000);
    expect(errorOf(await api.get(`/qr-codes/${code.id}/stats?from=nonsense`))).toEqual([
      400,
      'VALIDATION_ERROR',
      'from',
    ]);
  });

  test("of a link's QR code follow the link and count as clicks of the link, with the source qr", async () => {
    const link = await aLink(api, { url: 'https://example.com/a' });
    const code = await aQrCode(api, { linkId: link.id });
    expect((await visit(stack.baseUrl, `/${code.slug}`)).headers['location']).toBe('https://example.com/a');
    await visit(stack.baseUrl, `/${link.slug}`);
    accepted(await api.patch(`/links/${link.id}`, { url: 'https://example.com/b' }));
    await untilLocation(code, 'https://example.com/b');
    await scan(code);
    await untilCode(code.id, { scanCount: 2 });
    await eventually(async () => {
      expect(accepted(await api.get<ApiLink>(`/links/${link.id}`)).clickCount).toBe(3);
      const { sources } = accepted(await api.get<{ sources: object[] }>(`/links/${link.id}/stats`));
      expect(sources).toEqual([
        { key: 'qr', clicks: 2 },
        { key: 'link', clicks: 1 },
      ]);
    });
    accepted(await api.patch(`/links/${link.id}`, { status: 'archived' }));
    await eventually(async () => expect(await scan(code)).toBe(410), 1_000);
    expect(await getCode(code.id)).toMatchObject({ status: 'archived', url: 'https://example.com/b' });
    const found = async (query: string) =>
      accepted(await api.get<ApiQrCode[]>(`/qr-codes?linkId=${link.id}&${query}`)).length;
    await eventually(async () =>
      expect([await found('status=archived'), await found('status=active')]).toEqual([1, 0]),
    );
    await eventually(async () =>
      expect([await found('q=example.com/b'), await found('q=example.com/a')]).toEqual([1, 0]),
    );
  });

  test('redirect exactly maxScans times under concurrency', async () => {
    const code = await aQrCode(api, { maxScans: 5 });
    const statuses = await Promise.all(Array.from({ length: 20 }, () => scan(code)));
    expect(statuses.filter((status) => status === 302)).toHaveLength(5);
    expect(statuses.filter((status) => status === 410)).toHaveLength(15);
    await untilCode(code.id, { status: 'expired', scanCount: 5 });
    expect(errorOf(await api.patch(`/qr-codes/${code.id}`, { status: 'active' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'maxScans',
    ]);
    expect(await updateCode(code.id, { status: 'active', maxScans: 6 })).toMatchObject({ status: 'active' });
    await eventually(async () => expect(await scan(code)).toBe(302), 1_000);
    expect(await scan(code)).toBe(410);
  });

  test('return 410 after expiresAt and while the code is archived', async () => {
    const code = await aQrCode(api, { expiresAt: new Date(Date.now() + 1_500).toISOString() });
    expect(await scan(code)).toBe(302);
    await eventually(async () => expect(await scan(code)).toBe(410), 2_500);
    await untilCode(code.id, { status: 'expired' });
    expect(await updateCode(code.id, { status: 'active', expiresAt: null })).toMatchObject({
      status: 'active',
      expiresAt: null,
    });
    await eventually(async () => expect(await scan(code)).toBe(302), 1_000);
    await updateCode(code.id, { status: 'archived' });
    await eventually(async () => expect(await scan(code)).toBe(410), 1_000);
  });

  test('of a deleted code return 404', async () => {
    const code = await aQrCode(api);
    expect(await scan(code)).toBe(302);
    expect(accepted(await api.delete(`/qr-codes/${code.id}`))).toEqual({ id: code.id, deleted: true });
    await eventually(async () => expect(await scan(code)).toBe(404), 1_000);
    expect((await api.get(`/qr-codes/${code.id}`)).error?.code).toBe('NOT_FOUND');
    expect((await api.delete(`/qr-codes/${code.id}`)).error?.code).toBe('NOT_FOUND');
  });
});

test('deleting a link archives its QR codes', async () => {
  const link = await aLink(api);
  const codes = [await aQrCode(api, { linkId: link.id }), await aQrCode(api, { linkId: link.id })];
  accepted(await api.delete(`/links/${link.id}`));
  for (const { id } of codes) {
    await untilCode(id, { status: 'archived', linkId: link.id });
    const { delivery, entry } = await recorder.emittedOnce('qr_code.updated', id);
    expect(delivery.event.data).toEqual(await getCode(id));
    expect(entry).toMatchObject({
      actor: { type: 'api_key' },
      changes: { status: { before: 'active', after: 'archived' } },
    });
  }
  expect(await scan(codes[0]!)).toBe(410);
});

describe('tags', () => {
  const tagNamed = async (name: string) => accepted(await api.get<ApiTag[]>('/tags')).find((tag) => tag.name === name);

  test('are created with a QR code, counted, renamed and deleted', async () => {
    const code = await aQrCode(api, { tags: ['pameran', 'musim'] });
    await aLink(api, { tags: ['pameran'] });
    const tag = (await tagNamed('pameran'))!;
    expect(tag).toMatchObject({ linkCount: 1, qrCodeCount: 1 });
    accepted(await api.patch(`/tags/${tag.id}`, { name: 'Expo' }));
    expect((await getCode(code.id)).tags).toEqual(['Expo', 'musim']);
    await updateCode(code.id, { tags: ['expo'] });
    expect((await getCode(code.id)).tags).toEqual(['Expo']);
    expect(await tagNamed('musim')).toMatchObject({ qrCodeCount: 0 });
    accepted(await api.delete(`/tags/${tag.id}`));
    await untilCode(code.id, { tags: [] });
  });
});

describe('a list', () => {
  const titles = async (query: string) =>
    (await listAll<ApiQrCode>(api, `/qr-codes?${query}`)).map(({ title }) => title);

  test('is filtered by link, status, tags and search terms, sorted newest first, and paged', async () => {
    const link = await aLink(api);
    const codes: ApiQrCode[] = [];
    for (const title of ['daftar satu', 'daftar dua', 'daftar tiga'])
      codes.push(await aQrCode(api, { linkId: link.id, title, tags: ['daftar', title] }));
    await updateCode(codes[0]!.id, { status: 'archived' });
    expect(await titles(`linkId=${link.id}&limit=1`)).toEqual(['daftar tiga', 'daftar dua', 'daftar satu']);
    expect(await titles('tag=daftar&tag=DAFTAR%20dua')).toEqual(['daftar dua']);
    expect(await titles('tag=daftar&status=archived')).toEqual(['daftar satu']);
    expect(await titles('q=TIGA%20Daftar')).toEqual(['daftar tiga']);
    expect(await titles(`q=${codes[1]!.slug.toUpperCase()}`)).toEqual(['daftar dua']);
    expect(await titles('tag=tidak-ada')).toEqual([]);
    const first = await api.get<ApiQrCode[]>(`/qr-codes?linkId=${link.id}&limit=2`);
    expect(first.meta.page).toMatchObject({ limit: 2, hasMore: true });
    const cursor = first.meta.page!.nextCursor!;
    expect(errorOf(await api.get(`/qr-codes?limit=2&cursor=${cursor}`))).toEqual([400, 'VALIDATION_ERROR', 'cursor']);
    expect(errorOf(await api.get('/qr-codes?limit=201'))).toEqual([400, 'VALIDATION_ERROR', 'limit']);
  });
});

test('the workspace counts its QR codes', async () => {
  const count = async () => accepted(await api.get<{ qrCodeCount: number }>('/workspaces/current')).qrCodeCount;
  const before = (await listAll<ApiQrCode>(api, '/qr-codes')).length;
  await eventually(async () => expect(await count()).toBe(before));
  const { id } = await aQrCode(api);
  await eventually(async () => expect(await count()).toBe(before + 1));
  accepted(await api.delete(`/qr-codes/${id}`));
  await eventually(async () => expect(await count()).toBe(before));
});
