import { expect, test } from '@jest/globals';
import { linkStatsExample } from '@tautan/proto';
import { statsExportFormats } from './stats-export.js';

const csv = (overrides: object = {}) => statsExportFormats.csv.write({ ...linkStatsExample, ...overrides });

test('csv has the time series, then a section for every dimension, including empty ones', () => {
  expect(csv()).toBe(
    [
      'time,clicks,uniques',
      '2030-01-30T17:00:00.000Z,42,40',
      ...['', 'dimension,key,clicks', 'countries,ID,42'],
      ...['', 'dimension,key,clicks'],
      ...['', 'dimension,key,clicks', 'devices,mobile,30', 'devices,desktop,12'],
      ...['', 'dimension,key,clicks', 'browsers,Chrome,42'],
      ...['', 'dimension,key,clicks', 'os,Android,30', 'os,Windows,12'],
      ...['', 'dimension,key,clicks', 'referrers,direct,40', 'referrers,news.example.com,2'],
      ...['', 'dimension,key,clicks', 'sources,link,30', 'sources,qr,12'],
      '',
    ].join('\r\n'),
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("https://evil.example","x")'])(
  'escapes the key %j, so that spreadsheets do not evaluate it as a formula',
  (key) => {
    const cell = csv({ referrers: [{ key, clicks: 1 }] }).split('referrers,')[1]!;
    expect(cell.replace(/^"/, '').startsWith(`'${key[0]}`)).toBe(true);
  },
);

test('quotes, commas and line breaks stay inside their cell', () => {
  expect(csv({ cities: [{ key: 'a "b", c\nd', clicks: 1 }] })).toContain('cities,"a ""b"", c\nd",1\r\n');
  expect(csv({ cities: [{ key: 'one\ntwo', clicks: 1 }] })).toContain('cities,"one\ntwo",1\r\n');
});

test('json has the envelope', () => {
  expect(JSON.parse(statsExportFormats.json.write(linkStatsExample, 'r-1'))).toEqual({
    data: linkStatsExample,
    error: null,
    meta: { requestId: 'r-1', timestamp: expect.any(String) },
  });
});
