import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink } from './testing/records.js';
import { API_KEY, startService, type ReceivedRequest, type TestService } from './testing/service.js';
import { tautanAt, type Run, type Tautan, type TautanOptions } from './testing/tautan.js';

let service: TestService;
let tautan: Tautan;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => {
  tautan = tautanAt(service.url);
  service.requests.length = 0;
  service.on('POST /links/import', imported);
});
afterEach(() => tautan.remove());
afterAll(() => service.stop());

const env = { TAUTAN_API_KEY: API_KEY };
const run = (args: string, options: TautanOptions = {}): Promise<Run> =>
  tautan.run(args.split(' '), { env, ...options });
const file = (name: string, content: string) => writeFileSync(join(tautan.home, name), content);
type Items = { slug?: string }[];
const sent = () => service.requests.flatMap(({ body }) => (body ? [(body as { links: Items }).links] : []));

/** Handles `POST /links/import` like the API, except that only rows with the slug `taken` fail. */
function imported({ body }: ReceivedRequest) {
  const { dryRun, links } = body as { dryRun: boolean; links: Items };
  const results = links.map(({ slug }, index) =>
    slug === 'taken'
      ? { index, status: 'failed', slug, error: { code: 'SLUG_TAKEN', message: 'The slug is in use.', field: 'slug' } }
      : { index, status: dryRun ? 'valid' : 'created', id: `lnk_${index}`, slug },
  );
  const failed = results.filter(({ status }) => status === 'failed').length;
  return { data: { dryRun, total: links.length, created: dryRun ? 0 : links.length - failed, failed, results } };
}

describe('links import', () => {
  test('reads CSV with a header line, quoted cells, and several tags, separated by commas, in one cell', async () => {
    file(
      'links.csv',
      '\ufeffURL,slug,title,tags,expiresAt,maxClicks\r\nhttps://example.com/a,a,"A, ""the"" first","x, ""y, z""",2030-01-31T12:00:00Z,5\r\n\r\nhttps://example.com/b,,,,,\r\n',
    );
    const { code, stdout } = await run('links import links.csv');
    expect(sent()).toEqual([
      [
        {
          url: 'https://example.com/a',
          slug: 'a',
          title: 'A, "the" first',
          tags: ['x', 'y, z'],
          expiresAt: '2030-01-31T12:00:00.000Z',
          maxClicks: 5,
        },
        { url: 'https://example.com/b' },
      ],
    ]);
    expect(stdout).toBe('✓ Imported 2 links\n');
    expect(code).toBe(0);
  });

  test.each([
    ['links.json', '[{"url":"https://example.com/a"},{"url":"https://example.com/b"}]'],
    ['links.json', '{"data":[{"url":"https://example.com/a"},{"url":"https://example.com/b"}],"error":null}'],
    ['links.ndjson', '{"url":"https://example.com/a"}\n\n{"url":"https://example.com/b"}\n'],
  ])('reads %s', async (name, content) => {
    file(name, content);
    expect((await run(`links import ${name}`)).code).toBe(0);
    expect(sent()).toEqual([[{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }]]);
  });

  test.each([
    ['CSV', 'url,slug\nhttps://example.com/a,a\n'],
    ['JSON', '[\n{"url":"https://example.com/a","slug":"a"}\n]'],
    ['one link', '{\n"url":"https://example.com/a","slug":"a"\n}'],
    ['NDJSON', '{"url":"https://example.com/a","slug":"a"}\n{"url":"https://example.com/a","slug":"a"}'],
  ])('detects the format of standard input: %s', async (_what, input) => {
    expect((await run('links import -', { input })).code).toBe(0);
    expect(sent()[0]![0]).toEqual({ url: 'https://example.com/a', slug: 'a' });
  });

  test('prints rejected rows with their line numbers, imports the other rows, and exits with 1', async () => {
    file(
      'links.csv',
      'url,slug\nhttps://example.com/a,taken\nhttps://example.com/b,b\n"https://example.com/\nc",taken\n',
    );
    const { code, stdout, stderr } = await run('links import links.csv');
    expect(stderr).toContain('✗ line 2  slug The slug is in use.');
    expect(stderr).toContain('✗ line 5  slug The slug is in use.');
    expect(stderr).toContain('2 of 3 rows rejected.\n');
    expect(stderr).not.toContain('billing');
    expect(stdout).toBe('! Imported 1 link\n');
    expect(code).toBe(1);
  });

  test('counts the rows rejected because of a plan limit and prints a hint', async () => {
    const error = { code: 'PLAN_LIMIT_EXCEEDED', message: 'The FREE plan allows 50 links per month.', field: 'links' };
    const results = [
      { index: 0, status: 'failed', error: { code: 'SLUG_TAKEN', message: 'The slug is in use.', field: 'slug' } },
      { index: 1, status: 'failed', error },
      { index: 2, status: 'failed', error },
    ];
    service.on('POST /links/import', () => ({ data: { dryRun: false, total: 3, created: 0, failed: 3, results } }));
    const { code, stderr } = await run('links import -', {
      input: 'url\nhttps://a.example\nhttps://b.example\nhttps://c.example\n',
    });
    expect(stderr).toContain('✗ 3 of 3 rows rejected, 2 because of a plan limit.');
    expect(stderr).toContain("'tautan billing usage'");
    expect(code).toBe(1);
  });

  test('--json includes every row with its position in the file', async () => {
    file('links.ndjson', '{"url":"https://a.example","slug":"a"}\n{"url":"https://b.example","slug":"taken"}\n');
    const { code, json } = await run('links import links.ndjson --json');
    expect(json()).toMatchObject({
      total: 2,
      created: 1,
      failed: 1,
      results: [
        { at: 'line 1', index: 0, status: 'created' },
        { at: 'line 2', index: 1, status: 'failed', error: { code: 'SLUG_TAKEN' } },
      ],
    });
    expect(code).toBe(1);
  });

  test('--dry-run creates nothing and prints a notice', async () => {
    file('links.csv', 'url\nhttps://example.com/a\n');
    expect((await run('links import links.csv --dry-run')).stdout).toContain(
      '1 link can be imported. Nothing was created.',
    );
    expect(service.requests[0]!.body).toMatchObject({ dryRun: true });
  });

  test('sends batches of at most 1,000 rows, each batch within the size limit of the API', async () => {
    const rows = Array.from({ length: 2_500 }, (_, at) => JSON.stringify({ url: `https://example.com/${at}` }));
    file('links.ndjson', rows.join('\n'));
    expect((await run('links import links.ndjson --json')).json()).toMatchObject({ total: 2_500, created: 2_500 });
    expect(sent().map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    service.requests.length = 0;
    const long = {
      url: `https://example.com/${'x'.repeat(2_000)}`,
      title: 'ä'.repeat(200),
      description: '日'.repeat(2_000),
    };
    file('long.ndjson', Array(800).fill(JSON.stringify(long)).join('\n'));
    expect((await run('links import long.ndjson')).code).toBe(0);
    expect(service.requests.length).toBeGreaterThan(1);
    for (const { body } of service.requests)
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(5 * 1_048_576);
  });

  test.each([
    [500, 'INTERNAL_ERROR', 5],
    [409, 'IDEMPOTENCY_IN_PROGRESS', 1],
    [429, 'TOO_MANY_REQUESTS', 1],
  ])(
    'prints the number of imported links and the first line that may not have been imported, after %d %s',
    async (status, error, exitCode) => {
      const rows = Array.from({ length: 1_500 }, (_, at) => JSON.stringify({ url: `https://example.com/${at}` }));
      file('links.ndjson', rows.join('\n'));
      service.on('POST /links/import', (request) =>
        service.requests.length === 1
          ? imported(request)
          : { status, error: { code: error, message: 'Oh.' }, headers: { 'retry-after': '0' } },
      );
      const { code, stdout, stderr } = await run('links import links.ndjson');
      expect(stdout).toContain('Imported 1,000 links');
      expect(stderr).toContain('Rows from line 1001 onward may not have been imported.');
      expect(code).toBe(exitCode);
    },
  );

  test.each(['', '--json'])(
    'Ctrl-C prints the number of imported links and the first line that may not have been imported (options: "%s")',
    async (option) => {
      const rows = Array.from({ length: 1_500 }, (_, at) => JSON.stringify({ url: `https://example.com/${at}` }));
      file('links.ndjson', rows.join('\n'));
      service.on('POST /links/import', (request) =>
        service.requests.length === 1 ? imported(request) : { raw: () => undefined },
      );
      const running = tautan.start(['links', 'import', 'links.ndjson', ...(option ? [option] : [])], { env });
      await eventually(() => expect(service.requests).toHaveLength(2));
      running.kill('SIGINT');
      const { code, stdout, stderr, json } = await running.ended;
      const hint = 'Rows from line 1001 onward may not have been imported.';
      if (option) {
        expect(json()).toMatchObject({ created: 1_000 });
        expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'INTERRUPTED', hint } });
      } else {
        expect(stdout).toBe('✓ Imported 1,000 links\n');
        expect(stderr).toBe(`✗ The command was interrupted.\n  ${hint}\n`);
      }
      expect(code).toBe(130);
    },
  );

  test('Ctrl-C during a dry run prints nothing', async () => {
    file('links.ndjson', '{"url":"https://example.com/a"}');
    service.on('POST /links/import', () => ({ raw: () => undefined }));
    const running = tautan.start(['links', 'import', 'links.ndjson', '--dry-run'], { env });
    await eventually(() => expect(service.requests).toHaveLength(1));
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
  });

  test.each([
    ['an unknown column', 'links.csv', 'url,slugg\nhttps://example.com,a\n', '"slugg"'],
    ['a column twice', 'links.csv', 'url,URL\na,b\n', 'URL appears twice'],
    ['no url column', 'links.csv', 'slug\na\n', 'No destination column found'],
    [
      'a row with too few cells',
      'links.csv',
      'url,slug\nhttps://example.com\n',
      'Line 2: The row has a different number of cells',
    ],
    ['an open quote', 'links.csv', 'url\n"https://example.com\n', 'not valid CSV'],
    ['no content', 'links.csv', '', 'The file is empty'],
    ['invalid JSON', 'links.json', '[{', 'not valid JSON'],
    ['an invalid line', 'links.ndjson', '{"url":"https://a.example"}\n{', 'Line 2'],
  ])('exits with 2 and sends nothing if the file has %s', async (_what, name, content, sentence) => {
    file(name, content);
    const { code, stderr } = await run(`links import ${name}`);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
    expect(service.requests).toEqual([]);
  });

  test.each([
    ['nowhere.csv', 'nowhere.csv cannot be read: no such file or folder.'],
    ['/dev', '/dev cannot be read: it is a folder.'],
  ])('exits with 2 if %s cannot be read', async (path, sentence) => {
    const { code, stderr } = await run(`links import ${path}`);
    expect([code, stderr]).toEqual([2, `✗ ${sentence}\n`]);
  });

  test.each(['little endian', 'big endian'])('rejects a file in UTF-16 (%s)', async (order) => {
    const bytes = Buffer.from('\ufeffurl\nhttps://example.com\n', 'utf16le');
    writeFileSync(join(tautan.home, 'links.csv'), order === 'little endian' ? bytes : bytes.swap16());
    const { code, stderr } = await run('links import links.csv');
    expect([code, stderr]).toEqual([2, '✗ links.csv is encoded as UTF-16.\n  Convert it to UTF-8 and try again.\n']);
  });

  test('rejects UTF-16 on standard input with an error that names standard input', async () => {
    const { stderr } = await run('links import -', { input: '\u0000' });
    expect(stderr).toMatch(/^✗ Standard input is encoded as UTF-16\./);
  });

  test.each(['links.csv', 'links.json'])('rejects a file that is not UTF-8 (%s)', async (name) => {
    const content = name === 'links.csv' ? 'url;title\nhttps://example.com;Frühling\n' : '[{"title":"Frühling"}]';
    writeFileSync(join(tautan.home, name), Buffer.from(content, 'latin1'));
    const { code, stderr } = await run(`links import ${name}`);
    expect([code, stderr]).toEqual([2, `✗ ${name} is not encoded as UTF-8.\n  Convert it to UTF-8 and try again.\n`]);
    expect(service.requests).toEqual([]);
  });

  test.each([
    [';', ''],
    ['\t', ''],
    [',', ''],
    [';', '--delimiter semicolon'],
    ['\t', '--delimiter tab'],
  ])('reads cells separated by %j (options: "%s")', async (delimiter, option) => {
    const row = (...cells: string[]) => `${cells.join(delimiter)}\r\n`;
    file(
      'links.csv',
      `\ufeff${row('url', 'slug', 'title', 'tags')}${row('https://example.com/a', 'a', '"x, y; z"', '"one, two"')}`,
    );
    expect((await run(`links import links.csv ${option}`.trim())).code).toBe(0);
    expect(sent()).toEqual([[{ url: 'https://example.com/a', slug: 'a', title: 'x, y; z', tags: ['one', 'two'] }]]);
  });

  test('recognizes an export from another product and creates the links on the given domain', async () => {
    file('links.csv', 'Title;Link;Destination URL;Tags\nA;https://bit.ly/abc;https://example.com/a;x,y\n');
    const { code, stderr } = await run('links import links.csv --domain go.example.com');
    expect(stderr).toBe('Reading a Bitly export.\n');
    expect(sent()).toEqual([
      [{ url: 'https://example.com/a', slug: 'abc', title: 'A', tags: ['x', 'y'], domain: 'go.example.com' }],
    ]);
    expect(code).toBe(0);
  });

  test('--dry-run shows the column mapping', async () => {
    file('links.csv', 'keyword,url,ip\nabc,https://example.com/a,192.0.2.1\n');
    const { stdout } = await run('links import links.csv --dry-run');
    expect(stdout.split('\n')).toEqual([
      'YOURLS export, separated by commas, 1 row',
      '',
      'COLUMN   FIELD    EXAMPLE',
      'keyword  slug     abc',
      'url      url      https://example.com/a',
      'ip       ignored  192.0.2.1',
      '',
      '✓ 1 link can be imported. Nothing was created.',
      '',
    ]);
  });

  test('reports both unreadable and rejected rows', async () => {
    file('links.csv', 'url,slug\nhttps://a.example\nhttps://b.example,taken\nhttps://c.example,c\n');
    const { code, stdout, stderr } = await run('links import links.csv');
    expect(stderr).toContain('✗ line 2   The row has a different number of cells (1) than the header (2).');
    expect(stderr).toContain('✗ line 3  slug The slug is in use.');
    expect(stderr).toContain('2 of 3 rows rejected.');
    expect([code, stdout]).toEqual([1, '! Imported 1 link\n']);
    expect((await run('links import links.csv --json')).json()).toMatchObject({ problems: [{ line: 2 }] });
  });

  test('--date-order resolves ambiguous dates', async () => {
    file('links.csv', 'url,expiresAt\nhttps://a.example,3/4/2030\n');
    expect((await run('links import links.csv')).stderr).toContain('3/4/2030 is ambiguous');
    await run('links import links.csv --date-order mdy');
    expect(sent()).toEqual([[{ url: 'https://a.example', expiresAt: '2030-03-04T00:00:00.000Z' }]]);
  });

  test('--help lists every import format', async () => {
    const { formatNames } = await import('./import/read.js');
    const { stdout } = await run('links import --help', { env: { ...env, COLUMNS: '300' } });
    for (const name of formatNames) expect(stdout).toContain(`"${name}"`);
  });

  test('a delimiter that is unknown or that the file does not contain is a usage error', async () => {
    file('links.csv', 'url,slug\nhttps://example.com,a\n');
    expect((await run('links import links.csv --delimiter tab')).code).toBe(2);
    expect((await run('links import links.csv --delimiter pipe')).code).toBe(2);
  });
});

test.each(['--help', 'links --help', '--version'])('tautan %s ends silently if its output is unread', async (args) => {
  expect(await tautan.shell(`tautan ${args} | true`)).toMatchObject({ stdout: '', stderr: '' });
});

describe('links export', () => {
  const links = [aLink({ slug: 'a', tags: ['x, y', 'z'], title: '=1+1' }), aLink({ slug: 'b' })];
  const body = { csv: 'id,slug\r\nlnk_1,a\r\n', ndjson: links.map((link) => `${JSON.stringify(link)}\n`).join('') };
  const serveExport = (chunks: string[], cut = false) =>
    service.on('GET /links/export', () => ({
      raw: (response) => {
        for (const chunk of chunks) response.write(chunk);
        if (cut) setTimeout(() => response.destroy(), 100);
        else response.end();
      },
    }));

  test.each(['csv', 'ndjson'] as const)('streams %s', async (format) => {
    serveExport([body[format]]);
    expect((await run(`links export --format ${format}`)).stdout).toBe(body[format]);
    expect(service.requests[0]!.query.get('format')).toBe(format);
  });

  test('defaults to CSV', async () => {
    serveExport([body.csv]);
    expect((await run('links export')).stdout).toBe(body.csv);
    expect(service.requests[0]!.query.get('format')).toBe('csv');
  });

  test.each(['--format json', '--json'])('%s writes one array', async (option) => {
    const middle = body.ndjson.length / 2;
    serveExport([body.ndjson.slice(0, middle), body.ndjson.slice(middle)]);
    expect((await run(`links export ${option}`)).json()).toEqual(links);
    serveExport([]);
    expect((await run(`links export ${option}`)).json()).toEqual([]);
  });

  test('writes the export to the file and leaves no temporary file', async () => {
    file('links.csv', 'old');
    serveExport([body.csv]);
    const { code, stdout } = await run('links export --output links.csv --force');
    expect(stdout).toBe('');
    expect(code).toBe(0);
    expect(readFileSync(join(tautan.home, 'links.csv'), 'utf8')).toBe(body.csv);
    expect(readdirSync(tautan.home).filter((name) => name.startsWith('links'))).toEqual(['links.csv']);
  });

  test('replaces a file only with --force', async () => {
    file('links.csv', 'old');
    serveExport([body.csv]);
    const { code, stderr } = await run('links export --output links.csv');
    expect([code, stderr]).toEqual([6, '✗ links.csv already exists.\n  Add --force to replace it.\n']);
    expect(service.requests).toEqual([]);
    expect(readFileSync(join(tautan.home, 'links.csv'), 'utf8')).toBe('old');
  });

  test('keeps the mode of the file that it replaces', async () => {
    file('links.csv', 'old');
    chmodSync(join(tautan.home, 'links.csv'), 0o600);
    serveExport([body.csv]);
    expect((await run('links export --output links.csv --force')).code).toBe(0);
    expect(readFileSync(join(tautan.home, 'links.csv'), 'utf8')).toBe(body.csv);
    expect(statSync(join(tautan.home, 'links.csv')).mode & 0o777).toBe(0o600);
  });

  test('replaces the file that a symbolic link points to', async () => {
    mkdirSync(join(tautan.home, 'exports'));
    file('exports/links.csv', 'old');
    symlinkSync(join('exports', 'links.csv'), join(tautan.home, 'latest.csv'));
    serveExport([body.csv]);
    expect((await run('links export --output latest.csv')).code).toBe(6);
    expect((await run('links export --output latest.csv --force')).code).toBe(0);
    expect(lstatSync(join(tautan.home, 'latest.csv')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(tautan.home, 'exports', 'links.csv'), 'utf8')).toBe(body.csv);
    expect(readdirSync(join(tautan.home, 'exports'))).toEqual(['links.csv']);
  });

  describe('to a named pipe', () => {
    const pipe = () => join(tautan.home, 'pipe');
    beforeEach(() => {
      execFileSync('mkfifo', [pipe()]);
      symlinkSync('pipe', join(tautan.home, 'link'));
      serveExport(Array<string>(100).fill(body.csv));
    });

    test.each(['pipe', 'link', 'pipe --force'])('writes to its reader: %s', async (target) => {
      const { stdout } = await tautan.shell(`cat pipe & tautan links export -o ${target}; echo $? > code; wait`, {
        env,
      });
      expect(stdout).toBe(body.csv.repeat(100));
      expect(readFileSync(join(tautan.home, 'code'), 'utf8')).toBe('0\n');
      expect(lstatSync(pipe()).isFIFO()).toBe(true);
      expect(lstatSync(join(tautan.home, 'link')).isSymbolicLink()).toBe(true);
    });

    test('ends on Ctrl-C while no process reads the pipe', async () => {
      const running = tautan.start(['links', 'export', '-o', 'pipe'], { env });
      await eventually(() => expect(service.requests).toHaveLength(1));
      // Give the command time to start waiting for a reader.
      await sleep(500);
      running.kill('SIGINT');
      expect((await running.ended).code).toBe(130);
      expect(lstatSync(pipe()).isFIFO()).toBe(true);
    });

    test('exits with 6 if the reader closes the pipe', async () => {
      const chunk = 'x'.repeat(1_000_000);
      serveExport([chunk, chunk]);
      spawn('head', ['-c', '1', 'pipe'], { cwd: tautan.home });
      const { code, stderr } = await run('links export -o pipe');
      expect([code, stderr]).toEqual([6, '✗ pipe cannot be written: its reader has closed it.\n']);
    });
  });

  test('exits with 6 if the file would be too large', async () => {
    serveExport([body.csv.repeat(1_000)]);
    const { stdout, stderr } = await tautan.shell('ulimit -f 1; tautan links export -o links.csv; echo $?', { env });
    expect([stdout, stderr]).toEqual(['6\n', '✗ links.csv cannot be written: the file would be too large.\n']);
    expect(readdirSync(tautan.home).filter((name) => name.startsWith('links'))).toEqual([]);
  });

  test.each(['', '--force'])('downloads nothing if the path is a folder (options: "%s")', async (option) => {
    mkdirSync(join(tautan.home, 'exports'));
    const { code, stderr } = await run(`links export -o exports ${option}`.trim());
    expect([code, stderr]).toEqual([6, '✗ exports cannot be written: it is a folder.\n']);
    expect(service.requests).toEqual([]);
  });

  test('does not replace a file that is created during the download', async () => {
    service.on('GET /links/export', () => ({
      raw: (response) => {
        file('links.csv', 'new');
        response.end(body.csv);
      },
    }));
    const { code, stderr } = await run('links export --output links.csv');
    expect([code, stderr]).toEqual([6, '✗ links.csv already exists.\n  Add --force to replace it.\n']);
    expect(readFileSync(join(tautan.home, 'links.csv'), 'utf8')).toBe('new');
    expect(readdirSync(tautan.home).filter((name) => name.startsWith('links'))).toEqual(['links.csv']);
  });

  test.each(['csv', 'json'])(
    'a %s export whose connection breaks keeps the existing file and exits with 5',
    async (format) => {
      file('links.out', 'old');
      serveExport([body.ndjson], true);
      const { code, stderr } = await run(`links export --format ${format} --output links.out --force`);
      expect(stderr).toContain('was interrupted');
      expect(code).toBe(5);
      expect(readFileSync(join(tautan.home, 'links.out'), 'utf8')).toBe('old');
      expect(readdirSync(tautan.home).filter((name) => name.startsWith('links'))).toEqual(['links.out']);
    },
  );

  test('Ctrl-C leaves no partial file', async () => {
    service.on('GET /links/export', () => ({ raw: (response) => void response.write(body.csv) }));
    const running = tautan.start(['links', 'export', '--output', 'links.csv'], { env });
    await eventually(() => expect(readdirSync(tautan.home).some((name) => name.endsWith('.part'))).toBe(true));
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(readdirSync(tautan.home).filter((name) => name.startsWith('links'))).toEqual([]);
  });

  test.each([
    ['nowhere/links.csv', 'nowhere/links.csv cannot be written: no such file or folder.'],
    ['/dev/full/links.csv', '/dev/full/links.csv cannot be written: part of the path is not a folder.'],
  ])('prints the reason and exits with 6 if %s cannot be written', async (path, sentence) => {
    serveExport([body.csv]);
    const { code, stderr } = await run(`links export --output ${path}`);
    expect([code, stderr]).toEqual([6, `✗ ${sentence}\n`]);
  });

  test.each(['links export', 'tags list', 'tags list --json'])(
    'prints the reason and exits with 6 if the disk is full, as other commands do (%s)',
    async (args) => {
      serveExport([body.csv]);
      service.on('GET /tags', () => ({ data: [], page: { limit: 50, hasMore: false } }));
      const { stdout } = await tautan.shell(`tautan ${args} 2>&1 >/dev/full; echo $?`, { env });
      const sentence = 'Standard output cannot be written: no space left on the disk.';
      const error = JSON.stringify({ error: { code: 'UNWRITTEN', message: sentence } });
      expect(stdout).toBe(`${args.includes('json') ? error : `✗ ${sentence}`}\n6\n`);
    },
  );

  test('exits silently if the reader of standard output closes the pipe', async () => {
    serveExport(Array<string>(200).fill(body.ndjson.repeat(50)));
    const { stdout, stderr } = await tautan.shell('tautan links export --format ndjson | head -n 1', { env });
    expect(JSON.parse(stdout)).toEqual(links[0]);
    expect(stderr).toBe('');
  });

  test('can be imported again as CSV, JSON and NDJSON', async () => {
    const header =
      'id,slug,domain,shortUrl,url,title,description,tags,status,expiresAt,maxClicks,clickCount,lastClickAt,qrCodeCount,createdBy,createdAt,updatedAt';
    const row =
      'lnk_1,a,,https://go.example/a,https://example.com,\'\'=1+1,,"""x, y"",z",archived,,,0,,0,key_1,2030-01-01T00:00:00.000Z,2030-01-01T00:00:00.000Z';
    file('links.csv', `${header}\r\n${row}\r\n`);
    await run('links import links.csv');
    const createdAt = '2030-01-01T00:00:00.000Z';
    expect(sent()[0]).toEqual([
      { slug: 'a', url: 'https://example.com', title: "'=1+1", tags: ['x, y', 'z'], status: 'archived', createdAt },
    ]);
    serveExport([body.ndjson]);
    for (const format of ['json', 'ndjson']) {
      await run(`links export --format ${format} --output links.${format}`);
      await run(`links import links.${format}`);
      expect(sent().at(-1)![0]).toEqual(links[0]);
    }
    expect(existsSync(join(tautan.home, 'links.json'))).toBe(true);
  });
});

describe('links stats export', () => {
  const stats = { totals: { clicks: 3, uniques: 2 }, series: [] };
  beforeEach(() => {
    service.on('GET /links/spring', () => ({ data: aLink({ id: 'lnk_1' }) }));
    service.on('GET /links/lnk_1/stats/export', ({ query }) =>
      query.get('format') === 'csv' ? { raw: (response) => response.end('time,clicks,uniques\r\n') } : { data: stats },
    );
  });

  test('defaults to CSV', async () => {
    expect((await run('links stats export spring')).stdout).toBe('time,clicks,uniques\r\n');
  });

  test.each(['--format json', '--json'])('%s writes the data without the envelope', async (option) => {
    const { code, stdout } = await run(`links stats export spring ${option} --from 2030-01-01`);
    expect([code, stdout]).toEqual([0, `${JSON.stringify(stats)}\n`]);
    expect(Object.fromEntries(service.requests.at(-1)!.query)).toEqual({ format: 'json', from: '2030-01-01' });
  });
});
