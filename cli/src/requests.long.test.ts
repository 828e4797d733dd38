import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@tautan/kit/testing';
import { exitCodes } from './errors.js';
import { aLink } from './testing/records.js';
import { API_KEY, startService, type MockResponse, type TestService } from './testing/service.js';
import { tautanAt, type Run, type Tautan } from './testing/tautan.js';

let service: TestService;
let tautan: Tautan;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => {
  tautan = tautanAt(service.url);
  service.requests.length = 0;
  service.on('GET /tags', () => ({ data: [] }));
  service.on('POST /links', () => ({ status: 201, data: aLink() }));
});
afterEach(() => tautan.remove());
afterAll(() => service.stop());

const run = (args: string, env: Record<string, string> = {}): Promise<Run> =>
  tautan.run(args.split(' '), { env: { TAUTAN_API_KEY: API_KEY, ...env } });
const refusal = (status: number, code: string, field?: string): MockResponse => ({
  status,
  error: { code, message: 'This is the sentence.', ...(field && { field }) },
});

describe('a rejected request', () => {
  test.each([
    [400, 'VALIDATION_ERROR', 1],
    [402, 'PLAN_LIMIT_EXCEEDED', 1],
    [403, 'FORBIDDEN', 1],
    [409, 'SLUG_TAKEN', 1],
    [401, 'UNAUTHENTICATED', 3],
    [404, 'NOT_FOUND', 4],
    [500, 'INTERNAL_ERROR', 5],
  ])('%i %s exits with %i and prints one sentence, the field and the request id', async (status, name, exit) => {
    service.queueResponses('POST /links', refusal(status, name, 'slug'));
    const { code, stdout, stderr } = await run('links create https://example.com');
    expect(code).toBe(exit);
    expect(stdout).toBe('');
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      '✗ This is the sentence.',
      `  slug · ${name} · request req_01jd3x8q4v5w6y7z8a9b0c1d2e`,
    ]);
  });

  test('suggests signing in if the operation requires a user instead of an API key', async () => {
    service.queueResponses('POST /links', refusal(403, 'PERSON_ONLY'));
    expect((await run('links create https://example.com')).stderr).toContain('tautan login');
  });
});

describe('a request', () => {
  test('without credentials is not sent, and exits with 3', async () => {
    expect((await run('tags list', { TAUTAN_API_KEY: '' })).code).toBe(3);
    expect(service.requests).toEqual([]);
  });

  test.each([502, 503, 504, 429])('is retried after %i', async (status) => {
    service.queueResponses('GET /tags', refusal(status, 'X'), refusal(status, 'X'));
    expect((await run('tags list')).code).toBe(0);
    expect(service.requests).toHaveLength(3);
  });

  test('waits for the time in Retry-After', async () => {
    service.queueResponses('GET /tags', { ...refusal(429, 'TOO_MANY_REQUESTS'), headers: { 'retry-after': '2' } });
    const started = Date.now();
    expect((await run('tags list')).code).toBe(0);
    expect(Date.now() - started).toBeGreaterThanOrEqual(2_000);
  });

  test('fails immediately and prints the time in Retry-After if it is too long', async () => {
    service.queueResponses('GET /tags', { ...refusal(429, 'TOO_MANY_REQUESTS'), headers: { 'retry-after': '3600' } });
    const { code, stderr } = await run('tags list');
    expect(stderr).toContain('Try again in 3600 s.');
    expect(code).toBe(1);
    expect(service.requests).toHaveLength(1);
  });

  test('does not add the time in Retry-After to a message that already contains it', async () => {
    const error = { code: 'TOO_MANY_REQUESTS', message: 'Rate limit exceeded. Try again in 3600 s.' };
    const headers = { 'retry-after': '3600' };
    service.queueResponses('GET /tags', { status: 429, error, headers });
    expect((await run('tags list')).stderr.match(/Try again in 3600 s\./g)).toHaveLength(1);
  });

  test('fails after four attempts', async () => {
    service.queueResponses('GET /tags', ...Array<MockResponse>(4).fill(refusal(503, 'SERVICE_UNAVAILABLE')));
    expect((await run('tags list')).code).toBe(5);
    expect(service.requests).toHaveLength(4);
  });

  test('that creates a resource is retried with the same Idempotency-Key', async () => {
    service.queueResponses(
      'POST /links',
      { raw: (response) => response.destroy() },
      refusal(409, 'IDEMPOTENCY_IN_PROGRESS'),
      refusal(503, 'SERVICE_UNAVAILABLE'),
    );
    expect((await run('links create https://example.com')).code).toBe(0);
    const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{20,}$/);
  });

  test('that creates an API key is retried with the same Idempotency-Key', async () => {
    service.on('POST /auth/api-keys', () => ({ status: 201, data: { id: 'key_1', key: 'tau_live_secret' } }));
    service.queueResponses(
      'POST /auth/api-keys',
      { raw: (response) => response.destroy() },
      refusal(503, 'SERVICE_UNAVAILABLE'),
    );
    expect((await run('keys create CI')).code).toBe(0);
    const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  test('contains the user agent, the workspace and the key', async () => {
    await run('tags list --workspace ws_flag', { TAUTAN_WORKSPACE: 'ws_env' });
    expect(service.requests[0]!.headers).toMatchObject({
      'user-agent': expect.stringMatching(/^tautan-cli\/\d+\.\d+\.\d+$/),
      'x-workspace-id': 'ws_flag',
      authorization: `Bearer ${API_KEY}`,
    });
    await run('tags list', { TAUTAN_WORKSPACE: 'ws_env' });
    expect(service.requests[1]!.headers['x-workspace-id']).toBe('ws_env');
    await run('tags list');
    expect(service.requests[2]!.headers['x-workspace-id']).toBeUndefined();
  });
});

describe('a setting that cannot be sent in an HTTP header is named in the error, and no request is sent', () => {
  test.each([
    ['tags list', { TAUTAN_API_KEY: 'tau_live_“abc”' }, 3, 'API key', 'TAUTAN_API_KEY'],
    ['tags list', { TAUTAN_WORKSPACE: 'ws_“a”' }, 2, 'workspace id', 'TAUTAN_WORKSPACE'],
    ['tags list --workspace a\nb', {}, 2, 'workspace id', '--workspace'],
  ])('%j with %j', async (args, env, exitCode, noun, setting) => {
    const { code, stderr } = await run(args, env);
    expect(stderr).toContain(`✗ The ${noun} contains an invalid character.`);
    expect(stderr).toContain(setting);
    expect(code).toBe(exitCode);
    expect(service.requests).toEqual([]);
  });
});

describe('a service URL', () => {
  test('that refuses connections exits with 5', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { code, stderr } = await run(`tags list --url ${url}`);
    expect(stderr).toContain(`Connection to ${new URL(url).host} refused.`);
    expect(code).toBe(5);
  });

  test('with an unknown host exits with 5', async () => {
    expect((await run('tags list --url http://nowhere.invalid')).code).toBe(5);
  });

  test.each([
    [200, '<html>Welcome</html>', 'did not respond like a Tautan service'],
    [404, 'Not Found', 'did not respond like a Tautan service'],
    [500, 'Oh', 'failed with status 500'],
  ])('of a server that is not a Tautan service (status %i) exits with 5', async (status, body, sentence) => {
    service.queueResponses('GET /tags', { raw: (response) => response.writeHead(status).end(body) });
    const { code, stderr } = await run('tags list');
    expect(stderr).toContain(sentence);
    expect(code).toBe(5);
  });

  test('that redirects exits with 5 and sends no credential to the new location', async () => {
    let followed = 0;
    const other = createServer((_request, response) => void (followed++, response.end()));
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${port}/api/v1/tags`;
    service.queueResponses('GET /tags', { raw: (response) => response.writeHead(308, { location }).end() });
    const { code, stderr } = await run('tags list');
    expect(stderr).toContain(`redirects to ${location}`);
    expect(code).toBe(5);
    expect(followed).toBe(0);
    other.close();
  });

  test.each(['ftp://x', 'http://a:b@x', 'http://', 'http://x?y'])('%s is a usage error', async (url) => {
    expect((await run(`tags list --url ${url}`)).code).toBe(2);
  });

  test('without a scheme is http for loopback hosts and https for others', async () => {
    expect((await run(`tags list --url ${new URL(service.url).host}`)).code).toBe(0);
    const plainHttp = 'not encrypted (http)';
    expect((await run('login --url http://nowhere.invalid')).stderr).toContain(plainHttp);
    const { code, stderr } = await run('login --url nowhere.invalid');
    expect([code, stderr]).toEqual([5, expect.stringContaining('nowhere.invalid')]);
    expect(stderr).not.toContain(plainHttp);
  });

  test('that is invalid is reported with the setting it comes from', async () => {
    for (const url of ['ftp://x', 'https://'])
      expect((await run(`tags list --url ${url}`)).stderr).toContain(`--url: ${url} is not an http(s) URL.`);
    for (const url of ['https://user@x', 'https://:secret@x', 'https://x/?query', 'https://x/#fragment'])
      expect((await run(`tags list --url ${url}`)).stderr).toContain('--url: The URL must not have a user name,');
    expect((await run('tags list', { TAUTAN_URL: 'ftp://x' })).stderr).toContain('TAUTAN_URL: ftp://x is not');
  });

  test('from --url is part of suggested commands, but one from TAUTAN_URL is not', async () => {
    const none = { TAUTAN_API_KEY: '', TAUTAN_URL: '' };
    expect((await run(`tags list --url ${service.url}`, none)).stderr).toContain(`tautan --url ${service.url} login`);
    expect((await run('tags list', { ...none, TAUTAN_URL: service.url })).stderr).toContain(
      'Sign in with: tautan login',
    );
    service.queueResponses('GET /tags', { data: [], page: { limit: 50, hasMore: false } });
    expect((await run(`tags list --url ${service.url}`)).stdout).toContain(`tautan --url ${service.url} tags create`);
  });

  test('may end with the path of the API and a slash', async () => {
    expect((await run(`tags list --url ${service.url}/api/v1/`)).code).toBe(0);
  });
});

describe('with --json, standard error is one JSON object after an error', () => {
  const errorOf = (stderr: string) => (JSON.parse(stderr) as { error: Record<string, string> }).error;

  test('of the API', async () => {
    service.queueResponses('GET /tags', refusal(403, 'FORBIDDEN'));
    const { code, stdout, stderr } = await run('tags list --json');
    expect([code, stdout]).toEqual([1, '']);
    expect(errorOf(stderr)).toMatchObject({
      code: 'FORBIDDEN',
      message: 'This is the sentence.',
      hint: expect.stringContaining('tautan workspaces list'),
    });
  });

  test.each([
    ['tags list --nonsense --json', 2, 'USAGE', "unknown option '--nonsense'"],
    ['--json nonsense', 2, 'USAGE', "unknown command 'nonsense'"],
    ['links --json', 2, 'USAGE', 'a command is missing'],
    ['links create --json', 2, 'USAGE', "missing required argument 'url'"],
    ['links import nowhere.csv --json', 2, 'USAGE', 'nowhere.csv cannot be read: no such file or folder.'],
    ['tags list --json --url http://127.0.0.1:47', 5, 'UNAVAILABLE', 'Connection to 127.0.0.1:47 refused.'],
  ])('of %s', async (args, exit, kind, message) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([exit, '']);
    expect(errorOf(stderr)).toMatchObject({ code: kind, message });
  });

  test('of a command without credentials', async () => {
    const { code, stderr } = await run('tags list --json', { TAUTAN_API_KEY: '' });
    expect([code, errorOf(stderr)]).toMatchObject([3, { code: 'SIGNED_OUT', hint: 'Sign in with: tautan login' }]);
  });
});

describe('the command line', () => {
  test('--help lists every exit code', async () => {
    const { stdout } = await run('--help');
    for (const code of [0, ...Object.values(exitCodes)]) expect(stdout).toMatch(new RegExp(`^  ${code} +\\w`, 'm'));
  });

  test.each([50, 80])('--help wraps descriptions at %i columns', async (columns) => {
    const { stdout } = await run('links create --help', { COLUMNS: String(columns) });
    const [descriptions] = stdout.split('Examples:');
    expect(descriptions!.split('\n').filter((line) => line.length > columns)).toEqual([]);
  });

  test('--version and --help print to standard output', async () => {
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { code, stdout } = await run('links --help');
    expect(stdout).toContain('import');
    expect(code).toBe(0);
  });

  test('an unknown command exits with 2 and a suggestion', async () => {
    const { code, stderr } = await run('links lst');
    expect(stderr).toContain('Did you mean list?');
    expect(code).toBe(2);
  });

  test('prints no colors if the output is not a terminal', async () => {
    service.queueResponses('GET /tags', refusal(500, 'INTERNAL_ERROR'));
    expect((await run('tags list')).stderr).not.toContain('\u001b');
  });
});
