import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink } from './testing/records.js';
import { API_KEY, startService, type ReceivedRequest, type TestService } from './testing/service.js';
import { tautanAt, type Run, type Tautan } from './testing/tautan.js';

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

const run = (args: string, env: Record<string, string> = {}): Promise<Run> =>
  tautan.run(args.split(' '), { env: { TAUTAN_API_KEY: API_KEY, ...env } });
const lastRequest = (): ReceivedRequest => service.requests.at(-1)!;

describe('links create', () => {
  beforeEach(() => service.on('POST /links', () => ({ status: 201, data: aLink() })));

  test('prints only the short link on standard output', async () => {
    const { code, stdout, stderr } = await run('links create https://example.com/spring?utm_source=mail');
    expect(stdout).toBe('https://go.example/spring\n');
    expect(stderr).toContain('https://example.com/spring');
    expect(code).toBe(0);
    expect(lastRequest().body).toEqual({ url: 'https://example.com/spring?utm_source=mail' });
  });

  test('sends every option as an API field', async () => {
    const options = '--slug s --title T --description D --tag a --tag b --max-clicks 5 --domain go.example.com';
    await run(`links create https://example.com ${options} --expires 2030-01-31T12:00:00+07:00`);
    expect(lastRequest().body).toEqual({
      url: 'https://example.com',
      slug: 's',
      title: 'T',
      description: 'D',
      tags: ['a', 'b'],
      maxClicks: 5,
      domain: 'go.example.com',
      expiresAt: '2030-01-31T05:00:00.000Z',
    });
  });

  test.each([
    ['7d', 7 * 86_400_000],
    ['12h', 12 * 3_600_000],
  ])('--expires %s is relative to the current time', async (span, ms) => {
    await run(`links create https://example.com --expires ${span}`);
    const { expiresAt } = lastRequest().body as { expiresAt: string };
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - ms)).toBeLessThan(20_000);
  });

  test.each([
    '--expires soon',
    '--expires 2030-13-01',
    '--max-clicks 0',
    '--max-clicks many',
    '--nonsense',
    'https://b',
  ])('the argument %s is a usage error, and no request is sent', async (option) => {
    const { code, stderr } = await run(`links create https://example.com ${option}`);
    expect(stderr).toContain('See: tautan links create --help');
    expect(code).toBe(2);
    expect(service.requests).toEqual([]);
  });

  test('--json prints the link as the API returns it', async () => {
    expect((await run('links create https://example.com --json')).json()).toEqual(aLink());
  });
});

describe('links list', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => aLink({ id: `lnk_${String(at).padStart(26, '0')}`, slug: `s${at}` }));
  const pages = (links: ReturnType<typeof aLink>[]) =>
    service.on('GET /links', ({ query }) => {
      const [from, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit'))];
      const to = from + limit;
      const hasMore = to < links.length;
      return { data: links.slice(from, to), page: { limit, hasMore, ...(hasMore && { nextCursor: String(to) }) } };
    });

  test('prints a table that fits the width in COLUMNS', async () => {
    const url = `https://example.com/${'long-'.repeat(40)}`;
    pages([
      aLink({ url, clickCount: 12_345, tags: ['newsletter', 'spring'] }),
      aLink({ slug: 'x', url: 'https://例え.jp/とても長い宛先のアドレスでありますから切られます' }),
    ]);
    const lines = (await run('links list', { COLUMNS: '80' })).stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      'SHORT LINK         DESTINATION                        CLICKS  STATUS  CREATED',
      'go.example/spring  example.com/long-long-long-long-…  12,345  active  1 Apr 2026',
      'go.example/x       例え.jp/とても長い宛先のアドレス…       0  active  1 Apr 2026',
    ]);
  });

  test('does not truncate the table if the output is not a terminal and COLUMNS is not set', async () => {
    const url = `https://example.com/${'long-'.repeat(40)}end`;
    pages([aLink({ url })]);
    expect((await run('links list')).stdout).toContain(url.slice('https://'.length));
  });

  test('replaces control characters in the tags of a link', async () => {
    pages([aLink({ tags: ['\u001b[2Jx', 'a\nb'] })]);
    const { stdout } = await run('links list');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  test('prints how to create a link if there are none', async () => {
    pages([]);
    const { stdout } = await run('links list');
    expect(stdout).toContain('No links yet.');
    expect(stdout).toContain('tautan links create');
    expect((await run('links list --tag none')).stdout).toBe('No links match.\n');
    expect((await run('links list --json')).stdout).toBe('[]\n');
  });

  test('prints 50 links by default and a note if there are more', async () => {
    pages(many(60));
    const { stdout, stderr } = await run('links list');
    expect(stdout.trimEnd().split('\n')).toHaveLength(51);
    expect(stderr).toContain('Only the first 50 are shown. Use --limit or --all for more.');
  });

  test.each([
    ['--limit 450', 450],
    ['--limit 3', 3],
    ['--all', 501],
  ])('%s reads as many pages as necessary', async (option, count) => {
    pages(many(501));
    const { stdout, stderr } = await run(`links list ${option} --json`);
    const links = JSON.parse(stdout) as { slug: string }[];
    expect(links.map(({ slug }) => slug)).toEqual(many(count).map(({ slug }) => slug));
    expect(stderr).toBe('');
  });

  test('continues after an empty page', async () => {
    service.on('GET /links', ({ query }) =>
      query.has('cursor')
        ? { data: [aLink()], page: { limit: 50, hasMore: false } }
        : { data: [], page: { limit: 50, hasMore: true, nextCursor: 'c' } },
    );
    expect((await run('links list --q far --json')).json()).toEqual([aLink()]);
  });

  test('passes filters and order to the API', async () => {
    pages([]);
    await run('links list --q spring --tag a --tag b --status archived --sort clickCount --order asc');
    expect(lastRequest().query.toString()).toBe(
      'q=spring&tag=a&tag=b&status=archived&sort=clickCount&order=asc&limit=50',
    );
  });

  test('an unknown status is a usage error', async () => {
    expect((await run('links list --status gone')).code).toBe(2);
  });
});

describe('one link', () => {
  beforeEach(() => {
    const link = aLink({ title: 'Spring sale', tags: ['a', 'b'], clickCount: 42, maxClicks: 500 });
    service.on('GET /links/*', () => ({ data: link }));
    service.on('PATCH /links/*', () => ({ data: link }));
    service.on('DELETE /links/*', () => ({ data: { id: link.id, deleted: true } }));
  });

  test('is printed with its URLs, title, clicks, tags and status', async () => {
    const { stdout } = await run('links get spring --domain go.example');
    expect(stdout).toContain('https://go.example/spring\n→ https://example.com/spring');
    for (const fact of [/^Title +Spring sale$/m, /^Clicks +42 of 500$/m, /^Tags +a, b$/m, /^Status +active$/m])
      expect(stdout).toMatch(fact);
    expect(lastRequest()).toMatchObject({ path: '/links/spring' });
    expect(lastRequest().query.get('domain')).toBe('go.example');
  });

  test.each(['..', 'a/b', 'ä'])(
    'is reported as not found, without a request, if the argument %s cannot be an id or a slug',
    async (name) => {
      const { code } = await run(`links get ${name}`);
      expect(code).toBe(4);
      expect(service.requests).toEqual([]);
    },
  );

  test('is updated by slug; --clear sends null', async () => {
    await run(
      'links update spring --to https://example.org --tag x --clear expires --clear max-clicks --status active',
    );
    expect(lastRequest()).toMatchObject({ method: 'PATCH', path: `/links/${aLink().id}` });
    expect(lastRequest().body).toEqual({
      url: 'https://example.org',
      tags: ['x'],
      status: 'active',
      expiresAt: null,
      maxClicks: null,
    });
  });

  test('an empty destination is sent to the API instead of being ignored', async () => {
    await run('links update spring --to= --tag x');
    expect(lastRequest().body).toEqual({ url: '', tags: ['x'] });
  });

  test('an update that changes nothing or clears a required field is a usage error', async () => {
    expect((await run('links update spring')).code).toBe(2);
    expect((await run('links update spring --clear url')).code).toBe(2);
    expect(service.requests).toEqual([]);
  });

  test('is not deleted without confirmation if there is no terminal', async () => {
    const { code, stderr } = await run('links delete spring');
    expect(stderr).toContain('--yes');
    expect(code).toBe(2);
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  test('is deleted with --yes', async () => {
    expect((await run('links delete spring --yes --json')).json()).toEqual({ id: aLink().id, deleted: true });
    expect(lastRequest()).toMatchObject({ method: 'DELETE', path: `/links/${aLink().id}` });
  });

  test('counts as deleted if an earlier attempt, whose response was lost, deleted it', async () => {
    const cut = { raw: (response: { destroy(): void }) => response.destroy() };
    const gone = { status: 404, error: { code: 'NOT_FOUND', message: 'No such link.' } };
    service.queueResponses(`DELETE /links/${aLink().id}`, cut, gone);
    expect((await run('links delete spring --yes')).code).toBe(0);
  });
});

describe('links bulk', () => {
  const slugs = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`).join(' ');
  beforeEach(() => {
    service.on('GET /links/*', ({ path }) =>
      path === '/links/s100'
        ? { status: 404, error: { code: 'NOT_FOUND', message: 'No such link.' } }
        : { data: aLink({ id: `lnk_${path.split('/').at(-1)}` }) },
    );
    service.on('POST /links/bulk', ({ body }) => {
      const { action, ids } = body as { action: string; ids: string[] };
      return { data: { action, updated: ids.length, unchanged: 0, failed: [] } };
    });
  });

  test('prints the result of the earlier batches if a later one fails', async () => {
    const { code, stdout, stderr } = await run(`links bulk archive ${slugs(101)}`);
    expect(stdout).toBe('✓ Changed 100 links\n');
    expect(stderr).toContain('✗ No link found: s100.');
    expect(stderr).toContain('Links from s100 onward were not changed.');
    expect(code).toBe(4);
    const { json } = await run(`links bulk archive ${slugs(101)} --json`);
    expect(json()).toEqual({ action: 'archive', updated: 100, unchanged: 0, failed: [] });
  });

  test('resolves a slug that begins like an id, and sends ids unchanged', async () => {
    const { id } = aLink();
    await run(`links bulk archive lnk_promo ${id}`);
    expect(lastRequest().body).toEqual({ action: 'archive', ids: ['lnk_lnk_promo', id] });
  });

  test('resolves 100 slugs under a rate limit of 20 requests per second', async () => {
    let window = { start: 0, count: 0 };
    const error = { code: 'TOO_MANY_REQUESTS', message: 'Too many requests.' };
    service.on('GET /links/*', ({ path }) => {
      if (Date.now() - window.start >= 1_000) window = { start: Date.now(), count: 0 };
      return ++window.count > 20
        ? { status: 429, headers: { 'retry-after': '1' }, error }
        : { data: aLink({ id: `lnk_${path.split('/').at(-1)}` }) };
    });
    const { code, stdout } = await run(`links bulk archive ${slugs(100)}`);
    expect([code, stdout]).toEqual([0, '✓ Changed 100 links\n']);
    expect((lastRequest().body as { ids: string[] }).ids).toEqual(
      slugs(100)
        .split(' ')
        .map((slug) => `lnk_${slug}`),
    );
  });

  test('prints no result if the first batch fails', async () => {
    const { code, stdout } = await run('links bulk archive s0 s100');
    expect([code, stdout]).toEqual([4, '']);
  });

  test('names the slug that does not exist', async () => {
    expect((await run('links bulk archive s0 s100 s1')).stderr).toContain('✗ No link found: s100.');
    const { stderr } = await run('links bulk archive s0 s100 s1 --json');
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'NOT_FOUND', message: 'No link found: s100.' } });
  });

  test('Ctrl-C prints the result of earlier batches and the first link that may not have been changed', async () => {
    let batches = 0;
    service.on('POST /links/bulk', ({ body }) => {
      const { action, ids } = body as { action: string; ids: string[] };
      if (++batches > 1) return { raw: () => undefined };
      return { data: { action, updated: ids.length, unchanged: 0, failed: [] } };
    });
    const ids = Array.from({ length: 101 }, (_, at) => `lnk_${String(at).padStart(26, '0')}`);
    const running = tautan.start(['links', 'bulk', 'archive', ...ids], { env: { TAUTAN_API_KEY: API_KEY } });
    await eventually(() => expect(batches).toBe(2));
    running.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect(stdout).toBe('✓ Changed 100 links\n');
    expect(stderr).toBe(`✗ The command was interrupted.\n  Links from ${ids[100]} onward may not have been changed.\n`);
    expect(code).toBe(130);
  });
});
