import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type TautanError } from '../error.js';
import { importFormats, importTitles, parseImport, type ImportOptions } from './index.js';

const folder = join(import.meta.dirname, '..', '..', 'src', 'import-formats', 'fixtures');
const fixture = (name: string, options?: ImportOptions) =>
  parseImport(readFileSync(join(folder, `${name}.csv`), 'utf8'), options);
const items = (text: string, options?: ImportOptions) => parseImport(text, options).rows.map(({ item }) => item);
const spring = {
  url: 'https://example.com/spring',
  slug: 'spring',
  title: 'Spring sale',
  createdAt: '2026-04-01T08:00:00.000Z',
};
const tags = ['newsletter', 'spring'];

function failureOf(text: string, options?: ImportOptions): TautanError {
  try {
    parseImport(text, options);
  } catch (error) {
    return error as TautanError;
  }
  throw new Error('Expected parseImport to throw.');
}

describe('recognizes and maps the export from', () => {
  test.each([
    [
      'tautan',
      'comma',
      {
        ...spring,
        title: '=Spring',
        tags: ['newsletter', 'a, b'],
        status: 'active',
        expiresAt: '2030-01-31T05:00:00.000Z',
        maxClicks: 500,
      },
    ],
    ['bitly', 'comma', { ...spring, title: 'Spring sale, 2026', tags }],
    ['kutt', 'comma', { url: spring.url, slug: 'spring', description: 'Spring sale', createdAt: spring.createdAt }],
    ['rebrandly', 'comma', spring],
    ['shlink', 'comma', { ...spring, tags }],
    ['shortio', 'tab', { ...spring, tags, maxClicks: 500 }],
    ['yourls', 'comma', { ...spring, createdAt: new Date('2026-04-01T08:00:00').toISOString() }],
  ] as const)('%s', (format, delimiter, item) => {
    const parsed = fixture(format);
    expect(parsed).toMatchObject({ format, delimiter });
    expect(parsed.rows[0]).toEqual({ line: 2, item });
  });

  test('every known product, regardless of case and punctuation of column titles', () => {
    for (const format of importFormats) {
      const text = readFileSync(join(folder, `${format}.csv`), 'utf8');
      const [header = '', ...rest] = text.split('\n');
      expect(parseImport([header.toUpperCase().replace(/[ _.]/g, '-'), ...rest].join('\n')).format).toBe(format);
    }
  });

  test('the export plugin of YOURLS', () => {
    expect(fixture('yourls-plugin')).toMatchObject({
      format: 'yourls',
      rows: [{ item: { url: spring.url, slug: 'spring' } }],
    });
  });
});

describe('an export from another product', () => {
  test('can have custom short URLs, which take precedence, and short URLs without a scheme', () => {
    expect(fixture('bitly').rows.map(({ item }) => item.slug)).toEqual(['spring', '4aBcDeF']);
  });

  test('keeps the status of archived and expired links', () => {
    expect(fixture('shortio').rows[1]!.item).toMatchObject({ slug: 'old', status: 'archived' });
    const past = 'target,address,expire_in\nhttps://example.com,a,2026-01-01T00:00:00Z\n';
    expect(items(past)).toEqual([
      { url: 'https://example.com', slug: 'a', expiresAt: '2026-01-01T00:00:00.000Z', status: 'expired' },
    ]);
  });

  test('reports a link with a password as a problem and does not import it', () => {
    const { rows, problems } = fixture('kutt');
    expect(rows.map(({ item }) => item.slug)).toEqual(['spring', 'bad']);
    expect(problems).toEqual([{ line: 3, field: 'url', message: expect.stringContaining('protected by a password') }]);
  });

  test('reports which column fills which field, with an example', () => {
    expect(fixture('shlink').columns).toEqual([
      { title: 'createdAt', field: 'createdAt', example: '2026-04-01T10:00:00+02:00' },
      { title: 'domain', field: null, example: 's.test' },
      { title: 'shortCode', field: 'slug', example: 'spring' },
      { title: 'shortUrl', field: 'slug', example: 'https://s.test/spring' },
      { title: 'longUrl', field: 'url', example: 'https://example.com/spring' },
      { title: 'title', field: 'title', example: 'Spring sale' },
      { title: 'tags', field: 'tags', example: 'newsletter|spring' },
      { title: 'visits', field: null, example: '42' },
    ]);
  });

  test.each(['destination', 'long_url', 'target'])(
    'can contain columns that only the format of Tautan has (destination column: %s)',
    (title) => {
      const header = `${title},slug,status,maxClicks,domain,note`;
      expect(items(`${header}\nhttps://example.com/,promo,archived,5,go.example.com,x\n`)).toEqual([
        { url: 'https://example.com/', slug: 'promo', status: 'archived', maxClicks: 5 },
      ]);
    },
  );

  test('is read from its own columns rather than from those of Tautan', () => {
    expect(items('slug,destination,slashtag\na,https://example.com/,b\nc,https://example.com/,\n')).toEqual([
      { url: 'https://example.com/', slug: 'b' },
      { url: 'https://example.com/', slug: 'c' },
    ]);
  });

  test('ignores columns that are named like properties of every object', () => {
    expect(items('long_url,constructor,toString\nhttps://example.com/,a,b\n')).toEqual(
      items('long_url\nhttps://example.com/\n'),
    );
  });

  test('is read in the given format, regardless of its columns', () => {
    const text = 'url,title\nhttps://example.com,A\n';
    expect(parseImport(text).format).toBe('tautan');
    expect(parseImport(text, { format: 'yourls' }).format).toBe('yourls');
    expect(failureOf(text, { format: 'bitly' }).message).toMatch(
      /Bitly files have a column titled destinationurl or longurl/,
    );
  });
});

describe('CSV', () => {
  test.each([
    [',', 'comma'],
    [';', 'semicolon'],
    ['\t', 'tab'],
  ])('is read with cells separated by %j', (separator, delimiter) => {
    const row = (...cells: string[]) => `${cells.join(separator)}\r\n`;
    const text = row('url', 'slug', 'title') + row('https://example.com', 'a', '"x, y; z"');
    const expected = {
      delimiter,
      rows: [{ line: 2, item: { url: 'https://example.com', slug: 'a', title: 'x, y; z' } }],
    };
    expect(parseImport(text)).toMatchObject(expected);
    const declared = `\ufeffsep=${separator}\r\n${text}`;
    expect(parseImport(declared)).toMatchObject({ ...expected, rows: [{ ...expected.rows[0], line: 3 }] });
  });

  test('is read except for rows that cannot be imported, whose lines are reported', () => {
    const { rows, problems } = parseImport('url,slug\nhttps://example.com\n,b\n\nhttps://example.com/c,c\n');
    expect(problems).toEqual([
      { line: 2, field: undefined, message: 'The row has a different number of cells (1) than the header (2).' },
      { line: 3, field: 'url', message: 'url is required.' },
    ]);
    expect(rows).toEqual([{ line: 5, item: { url: 'https://example.com/c', slug: 'c' } }]);
  });

  test.each([
    ['', 'The file is empty'],
    ['slug\na\n', 'No destination column found'],
    ['url,slugg\na,b\n', 'Unknown column: "slugg"'],
    ['url,URL\na,b\n', 'URL appears twice'],
    ['url\n"https://example.com\n', 'not valid CSV'],
  ])('%j is rejected', (text, message) => {
    expect(failureOf(text)).toMatchObject({ code: 'INVALID_IMPORT', message: expect.stringContaining(message) });
  });
});

describe('times', () => {
  const parseExpiryTimes = (...cells: string[]) =>
    parseImport(`url,expiresAt\n${cells.map((cell) => `https://example.com,"${cell}"\n`).join('')}`);
  const expiryTimes = (...cells: string[]) => parseExpiryTimes(...cells).rows.map(({ item }) => item.expiresAt);

  test.each([
    ['2030-01-31T12:00:00+07:00', '2030-01-31T05:00:00.000Z'],
    ['2030-01-31 12:00:00 +0700', '2030-01-31T05:00:00.000Z'],
    ['2030-01-31 12:00 UTC', '2030-01-31T12:00:00.000Z'],
    ['2030-01-31', new Date(2030, 0, 31).toISOString()],
    ['31.01.2030 08:30', new Date(2030, 0, 31, 8, 30).toISOString()],
    ['31/1/2030', new Date(2030, 0, 31).toISOString()],
    ['1/31/2030 8:30 PM', new Date(2030, 0, 31, 20, 30).toISOString()],
    ['47514.5', new Date(2030, 0, 31, 12).toISOString()],
    ['1896091200', '2030-01-31T12:00:00.000Z'],
    ['1896091200000', '2030-01-31T12:00:00.000Z'],
  ])('reads %s', (cell, expected) => {
    expect(expiryTimes(cell)).toEqual([expected]);
  });

  test.each(['31/1/2030 10:75', '31/1/2030 10:15:60', '2030-02-31', '2030-02-31T10:00Z'])(
    'passes %s, which does not exist, unchanged to the API',
    (cell) => {
      expect(expiryTimes(cell)).toEqual([cell]);
    },
  );

  test('one unambiguous date determines the order of day and month in its column', () => {
    expect(expiryTimes('3/4/2030', '1/31/2030')[0]).toBe(new Date(2030, 2, 4).toISOString());
    expect(expiryTimes('3/4/2030', '31/1/2030')[0]).toBe(new Date(2030, 3, 3).toISOString());
  });

  test('ambiguous dates are reported as problems unless the order is given', () => {
    expect(parseExpiryTimes('3/4/2030').problems).toMatchObject([{ line: 2, field: 'expiresAt' }]);
    const text = 'url,expiresAt\nhttps://example.com,3/4/2030\n';
    expect(items(text, { dateOrder: 'mdy' })[0]!.expiresAt).toBe(new Date(2030, 2, 4).toISOString());
    expect(expiryTimes('4/4/2030')).toEqual([new Date(2030, 3, 4).toISOString()]);
  });

  test('times that cannot be parsed are passed unchanged to the API', () => {
    expect(expiryTimes('31/31/2030', 'soon')).toEqual(['31/31/2030', 'soon']);
  });
});

describe('fields that the caller assigns to columns', () => {
  const text = 'Ziel;Kurz;Notiz\nhttps://example.com/a;a1;x\n';

  test('override the recognized ones, and make files of unknown formats importable', () => {
    expect(failureOf(text)).toMatchObject({ code: 'INVALID_IMPORT' });
    const fields = { Ziel: 'url', Kurz: 'slug', Notiz: null } as const;
    expect(items(text, { delimiter: 'semicolon', fields })).toEqual([{ url: 'https://example.com/a', slug: 'a1' }]);
    expect(items('url,title\nhttps://example.com/a,b', { fields: { title: 'description' } })).toEqual([
      { url: 'https://example.com/a', description: 'b' },
    ]);
  });

  test('must include the destination', () => {
    expect(failureOf('url\nhttps://example.com/a', { fields: { url: null } }).message).toMatch(/a column titled url/);
  });

  test('refer to columns by the titles that importTitles returns, even for a file of an unknown format', () => {
    expect(importTitles(text, { delimiter: 'semicolon' })).toEqual(['Ziel', 'Kurz', 'Notiz']);
  });
});
