import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aLink, apiClient, type Client } from '../support/client.js';
import { startStack, type Stack } from '../support/stack.js';
import { contract, firstGroup, numberIn, section, words } from './documents.js';

// Compares the responses of a running stack, which has the default limits, with the documents that specify the API.
let stack: Stack;
let api: Client;

beforeAll(async () => {
  stack = await startStack({ limits: 'default' });
  api = apiClient(stack);
});
afterAll(() => stack?.stop());

const links = section(contract, 'Links');
/** Waits 15 ms, to keep writes below the rate limit of the demo workspace's plan (100 per second). */
const pause = () => new Promise((resolve) => setTimeout(resolve, 15));

describe('slugs', () => {
  test('that are reserved are rejected', async () => {
    const reserved = words(firstGroup(links, /Reserved: `([^`]+)`/));
    expect(reserved.length).toBeGreaterThan(20);
    for (const slug of reserved) {
      const { status, error } = await api.post('/links', { url: 'https://example.com', slug });
      expect([slug, status, error?.code, error?.field]).toEqual([slug, 400, 'VALIDATION_ERROR', 'slug']);
      await pause();
    }
  });

  test('that are formatted like an id of any kind are rejected', async () => {
    const prefixes = [...firstGroup(contract, /\*\*Ids\*\*:(.*)/).matchAll(/\b([a-z]+_)/g)].map(
      ([, prefix]) => prefix!,
    );
    for (const prefix of prefixes) {
      const { error } = await api.post('/links', {
        url: 'https://example.com',
        slug: `${prefix}01jd3x8q4v5w6y7z8a9b0c1d2e`,
      });
      expect([prefix, error?.code, error?.field]).toEqual([prefix, 'VALIDATION_ERROR', 'slug']);
      await pause();
    }
  });

  test('are generated with the alphabet and length of the contract', async () => {
    const [, length, alphabet] = /Generated slugs: (\d+) of `([^`]+)`/.exec(links)!;
    const format = new RegExp(`^[${alphabet}]{${length}}$`);
    for (let i = 0; i < 20; i += 1) expect((await aLink(api)).slug).toMatch(format);
  });
});

describe('redirects', () => {
  test('have the headers of the contract, and otherwise only those that Node.js adds', async () => {
    const { slug } = await aLink(api);
    const listed = firstGroup(section(links, 'Redirects (root, outside `/api`)'), /Headers: (.+)\./);
    const stated = [...listed.matchAll(/`([^`]+)`/g)].map(([, header]) => header!.split(': '));
    const headers = await headersOf(`${stack.baseUrl}/${slug}`);
    for (const [name, value] of stated)
      expect([name, headers[name!.toLowerCase()]]).toEqual([name, value ?? expect.any(String)]);
    const addedByNode = ['date', 'connection', 'keep-alive'];
    const names = stated.map(([name]) => name!.toLowerCase());
    expect(
      Object.keys(headers)
        .filter((name) => !addedByNode.includes(name))
        .sort(),
    ).toEqual(names.sort());
  });

  const headersOf = (url: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const sent = request(url, (response) => resolve(response.resume().headers));
      sent.on('error', reject).end();
    });
});

describe('rate limits', () => {
  const limitOf = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' };
    const content = body && { body: JSON.stringify(body) };
    const answer = await fetch(`${stack.baseUrl}/api/v1${path}`, { method, headers, redirect: 'manual', ...content });
    return Number(answer.headers.get('ratelimit-limit'));
  };

  test('are those of the contract for plans, public endpoints and sign-in', async () => {
    const { data } = await api.get<{ rateLimits: { read: number; write: number } }>('/billing/plan');
    expect(await limitOf('GET', '/tags')).toBe(data.rateLimits.read);
    expect(await limitOf('POST', '/tags', { name: 'laju' })).toBe(data.rateLimits.write);
    const limits = section(contract, 'Rate limits');
    expect(await limitOf('GET', '/billing/plans')).toBe(numberIn(limits, /public endpoints (\d+)\/s per IP/));
    const signIn = numberIn(contract, /`\/api\/v1\/auth\/`, (\d+) per minute per IP/);
    const authRoutes = [
      ['POST', 'login'],
      ['POST', 'signup'],
      ['POST', 'refresh'],
      ['POST', 'logout'],
      ['POST', 'forgot-password'],
      ['GET', 'authorize'],
      ['GET', 'callback'],
    ] as const;
    for (const [method, path] of authRoutes)
      expect([path, await limitOf(method, `/auth/${path}`)]).toEqual([path, signIn]);
  });
});

test('webhook endpoints can only use the ports of the contract', async () => {
  const ports = firstGroup(contract, /https only [^,]+, ports ([\d, and]+) \(configurable\)/).match(/\d+/g)!;
  expect(ports.length).toBe(3);
  for (const port of [...ports, '8080', '22', '444']) {
    const { error } = await api.post('/webhooks', { url: `https://hooks.example.com:${port}/`, events: ['*'] });
    expect([port, error?.field]).toEqual([port, ports.includes(port) ? undefined : 'url']);
  }
});

test('API keys have the format of the contract', async () => {
  const [, prefix, random, checksum] = /\*\*API key\*\*: `(\w+)<(\d+) base62><(\d+)-char checksum>`/.exec(contract)!;
  expect(stack.apiKey).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{${Number(random) + Number(checksum)}}$`));
});

test('the API lists the three plans of the contract with prices in IDR, and never UNLIMITED', async () => {
  const { data } = await api.get<{ name: string; price: { currency: string } }[]>('/billing/plans');
  expect(data.map(({ name }) => name)).toEqual(words(firstGroup(contract, /\n\| \| (.+) \|\n/).replaceAll('|', '')));
  expect(new Set(data.map(({ price }) => price.currency))).toEqual(new Set(['IDR']));
});
