import { expect, test } from '@jest/globals';
import { aLink } from '../testing/services.js';
import { exportFormats } from './export.js';
import { linkView } from './link-view.js';

async function* chunks(...groups: ReturnType<typeof aLink>[][]) {
  for (const links of groups) yield { links };
}

async function written(format: keyof typeof exportFormats, ...groups: ReturnType<typeof aLink>[][]) {
  let text = '';
  for await (const part of exportFormats[format].write(chunks(...groups), 'r-1')) text += part;
  return text;
}

// Later versions may only append columns.
const header =
  'id,slug,domain,shortUrl,url,title,description,tags,status,expiresAt,maxClicks,clickCount,lastClickAt,qrCodeCount,createdBy,createdAt,updatedAt';

test('csv has the header once, and one line per link', async () => {
  const text = await written('csv', [aLink({ tags: ['a', 'b'], maxClicks: 5 })], [aLink()]);
  expect(text.startsWith(header)).toBe(true);
  expect(text.trimEnd().split('\r\n')).toHaveLength(3);
  expect(text.split('\r\n')[1]).toMatch(
    /^lnk_01jd3x8q4v5w6y7z8a9b0c1d2e,abc,,https:\/\/go.example\/abc,https:\/\/example.com\/,,,"a,b",active,,5,0,,0,key_01jd3x8q4v5w6y7z8a9b0c1d2e,2030-01-01T00:00:00.000Z,2030-01-01T00:00:00.000Z/,
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("https://evil.example","x")'])(
  'escapes the cell %j, so that spreadsheets do not evaluate it as a formula',
  async (title) => {
    const cell = (await written('csv', [aLink({ title })])).slice(header.length).split('https://example.com/,')[1]!;
    expect(cell.replace(/^"/, '').startsWith(`'${title[0]}`)).toBe(true);
  },
);

test.each([
  ["'=1+1", "''=1+1"],
  ["''-1", "'''-1"],
  ["'quoted'", "'quoted'"],
])('writes %j, which starts with an apostrophe, as %j', async (title, cell) => {
  expect(await written('csv', [aLink({ title })])).toContain(`https://example.com/,${cell},`);
});

test.each([
  [['a', 'b'], '"a,b"'],
  [['a', 'b, c'], '"a,""b, c"""'],
  [['5" disk'], '"""5"""" disk"""'],
  [['=1', '2'], `"'=1,2"`],
  [[], ''],
])('encodes the tags %j as a line of CSV within one cell', async (tags, cell) => {
  expect(await written('csv', [aLink({ tags })])).toContain(`https://example.com/,,,${cell},active,`);
});

test.each(['one\ntwo', 'one\rtwo', "note\n=cmd|' /C calc'!A0"])(
  'quotes the cell %j, so that its line break does not end the row',
  async (title) => {
    expect(await written('csv', [aLink({ title })])).toContain(`https://example.com/,"${title}",`);
  },
);

test('quotes, commas and line breaks stay inside their cell', async () => {
  expect(await written('csv', [aLink({ title: 'a "b", c\nd' })])).toContain('"a ""b"", c\nd"');
});

test('ndjson has one record per line', async () => {
  const text = await written('ndjson', [aLink(), aLink({ title: 'a\nb' })], [aLink()]);
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(records).toEqual([linkView(aLink()), linkView(aLink({ title: 'a\nb' })), linkView(aLink())]);
});

test('json has the envelope with all links', async () => {
  const envelope = JSON.parse(await written('json', [aLink()], [], [aLink(), aLink()])) as object;
  expect(envelope).toEqual({
    data: Array(3).fill(linkView(aLink())),
    error: null,
    meta: { requestId: 'r-1', timestamp: expect.any(String) },
  });
});

test('an export without links is only the header as csv, an empty list as json, and empty as ndjson', async () => {
  expect((await written('csv')).split('\r\n')).toEqual([expect.stringContaining(header), '']);
  expect(JSON.parse(await written('json'))).toMatchObject({ data: [], error: null });
  expect(await written('ndjson', [])).toBe('');
});
