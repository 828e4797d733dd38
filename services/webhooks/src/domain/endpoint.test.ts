import { describe, expect, test } from '@jest/globals';
import { EgressGuard, type Principal } from '@tautan/kit';
import { assertMayManage, checkEvents, checkUrl, endpointView, subscribes } from './endpoint.js';

const refused = (field: string, message: string) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', field, message });
const urlOfLength = (length: number): string => `https://a.example/${'x'.repeat(length - 'https://a.example/'.length)}`;

describe('the URL of an endpoint', () => {
  const rules = { guard: new EgressGuard(), ports: [443, 8443] };

  test.each([
    ['https://a.example', 'https://a.example/'],
    ['https://A.example:443/b?c=d#e', 'https://a.example/b?c=d'],
    ['https://a.example:8443/', 'https://a.example:8443/'],
    [urlOfLength(2_048), urlOfLength(2_048)],
  ])('%s is stored as %s', (text, url) => expect(checkUrl(text, rules)).toBe(url));

  test.each([
    ['/hooks', 'url must be a valid https URL.'],
    ['ftp://a.example/', 'url must be a valid https URL.'],
    ['xhttps://a.example/', 'url must be a valid https URL.'],
    [urlOfLength(2_049), 'url must have at most 2048 characters.'],
    [`https://a.example/#${'x'.repeat(2_048)}`, 'url must have at most 2048 characters.'],
    [`https://a.example/${'é'.repeat(1_000)}`, 'url must have at most 2048 characters.'],
    ['https://user@a.example/', 'url must not contain credentials.'],
    ['https://:secret@a.example/', 'url must not contain credentials.'],
    ['https://10.0.0.1/', 'url must name a public host.'],
    ['https://localhost/', 'url must name a public host.'],
    ['http://a.example/', 'url must use https.'],
    ['http://a.example:8443/', 'url must use https.'],
    ['https://a.example:444/', 'url must use one of these ports: 443, 8443.'],
  ])('%s is rejected: %s', (text, message) => {
    expect(() => checkUrl(text, rules)).toThrow(refused('url', message));
  });

  test('is rejected if it has no port and the default port is not accepted', () => {
    expect(() => checkUrl('https://a.example/', { ...rules, ports: [8443] })).toThrow(
      refused('url', 'url must use one of these ports: 8443.'),
    );
  });

  test('may name this machine, with http and any port, if the guard permits loopback addresses', () => {
    const local = { ...rules, guard: new EgressGuard({ allowLoopback: true }) };
    expect(checkUrl('http://localhost:9000/a', local)).toBe('http://localhost:9000/a');
    expect(checkUrl('https://127.0.0.1:9000/a', local)).toBe('https://127.0.0.1:9000/a');
  });
});

describe('a subscription', () => {
  test.each([
    [
      ['link.created', 'link.created', 'tag.updated'],
      ['link.created', 'tag.updated'],
    ],
    [['*', '*'], ['*']],
  ])('to %j has the types %j', (types, events) => expect(checkEvents(types)).toEqual(events));

  test.each([
    [[], 'events must contain at least one event type.'],
    [['link.created', '*'], 'events must not combine "*" with other types.'],
    [['*', 'link.created'], 'events must not combine "*" with other types.'],
    [['link.created', 'a'], '"a" is not an event type.'],
    [['session.created'], '"session.created" is not an event type.'],
    [['x'.repeat(101)], `"${'x'.repeat(100)}" is not an event type.`],
  ])('to %j is rejected: %s', (types, message) => {
    expect(() => checkEvents(types)).toThrow(refused('events', message));
  });

  test('includes its own types, or with "*" every type', () => {
    expect(subscribes({ events: ['link.created', 'tag.updated'] }, 'tag.updated')).toBe(true);
    expect(subscribes({ events: ['link.created'] }, 'tag.updated')).toBe(false);
    expect(subscribes({ events: ['*'] }, 'tag.updated')).toBe(true);
  });
});

test('only owners and admins can manage webhooks', () => {
  for (const role of ['owner', 'admin'] as const) expect(() => assertMayManage({ role } as Principal)).not.toThrow();
  for (const role of ['member', 'viewer'] as const) {
    expect(() => assertMayManage({ role } as Principal)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  }
});

test('an endpoint is represented without its secrets', () => {
  const at = new Date('2030-01-01T00:00:00.000Z');
  const fields = { url: 'https://a.example/', events: ['*'], active: false, disabledReason: 'failing' };
  const times = { createdAt: at, updatedAt: new Date(at.getTime() + 1) };
  expect(endpointView({ _id: 'whe_1', workspaceId: 'ws_1', secrets: [], ...fields, ...times })).toEqual({
    id: 'whe_1',
    ...fields,
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:00.001Z',
  });
});
