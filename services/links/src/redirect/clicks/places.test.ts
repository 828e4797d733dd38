import { expect, test } from '@jest/globals';
import { Places } from './places.js';

const places = await Places.open(undefined);

test.each([
  ['8.8.8.8', '', 'US'],
  ['2001:4860:4860::8888', '', expect.stringMatching(/^[A-Z]{2}$/)],
  ['192.168.1.1', '', ''],
  ['', '', ''],
  ['8.8.8.8', 'id', 'ID'],
  ['8.8.8.8', 'XX', 'US'],
  ['8.8.8.8', 'T1', 'US'],
  ['8.8.8.8', '<script>', 'US'],
])('%s, by an edge that says "%s", is in "%s"', (ip, edge, country) => {
  expect(places.of(ip, edge)).toEqual({ country, city: '' });
});

test('a database that is not there ends the start', async () => {
  await expect(Places.open('/nonexistent.mmdb')).rejects.toThrow(/CITY_DATABASE/);
});
