import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createLog, Registry } from '@tautan/kit';
import { Breaker } from '@tautan/kit/rpc';
import { allowedMs } from '@tautan/kit/testing';
import { httpDirectory } from './directory.js';
import type { Directory } from './identity-provider.js';
import { identityUpstream } from './upstream.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
const requests: { line: string; authorization: string | undefined; body: string }[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    requests.push({ line: `${request.method} ${request.url}`, authorization: request.headers.authorization, body });
    answer(request, response);
  });
});
let identityUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  identityUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/id/`;
});
beforeEach(() => void (requests.length = 0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const aDirectory = (breaker = new Breaker(5, 60_000)): Directory =>
  httpDirectory({
    identityUrl,
    timeoutMs: 300,
    upstream: identityUpstream(breaker, createLog('test', 'silent'), new Registry()),
  });
const respondWith =
  (status: number, body: unknown): Answer =>
  (_request, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
const workspace = { id: 'w/1', name: 'Kopi', role: 'owner', createdAt: '2030-01-01T00:00:00.000Z' };
const member = {
  id: 'm1',
  userId: 'sub',
  email: 'Ayu@Example.com',
  name: 'Ayu',
  role: 'admin',
  status: 'active',
  joinedAt: '2030-01-01T07:00:00+07:00',
};

describe('the directory', () => {
  test("calls the provider's workspace endpoints with the user's token, and converts the responses", async () => {
    const directory = aDirectory();
    answer = respondWith(200, { data: [workspace] });
    expect(await directory.listWorkspaces('t')).toEqual([{ id: 'w/1', name: 'Kopi', role: 'owner' }]);
    answer = respondWith(201, { data: workspace });
    await directory.createWorkspace('t', 'Kopi');
    answer = respondWith(200, { data: [member] });
    const [listed] = await directory.listMembers('t', 'w/1');
    expect(listed).toEqual({
      id: 'm1',
      subject: 'sub',
      email: 'ayu@example.com',
      name: 'Ayu',
      role: 'admin',
      status: 'active',
      joinedAt: new Date('2030-01-01T00:00:00Z'),
    });
    answer = respondWith(201, { data: { ...member, userId: null, name: null, status: 'invited', joinedAt: null } });
    const invited = await directory.invite('t', 'w/1', { email: 'ayu@example.com', role: 'viewer' });
    expect(invited).toMatchObject({ subject: null, name: '', status: 'invited', joinedAt: null });
    answer = respondWith(200, '');
    await directory.renameWorkspace('t', 'w/1', 'Teh');
    await directory.changeRole('t', 'w/1', 'm1', 'admin');
    await directory.removeMember('t', 'w/1', 'm1');
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer t']));
    expect(requests.map(({ line, body }) => `${line} ${body}`.trim())).toEqual([
      'GET /id/api/v1/workspaces',
      'POST /id/api/v1/workspaces {"name":"Kopi"}',
      'GET /id/api/v1/workspaces/w%2F1/members',
      'POST /id/api/v1/workspaces/w%2F1/members {"email":"ayu@example.com","role":"viewer"}',
      'PATCH /id/api/v1/workspaces/w%2F1 {"name":"Teh"}',
      'PATCH /id/api/v1/workspaces/w%2F1/members/m1 {"role":"admin"}',
      'DELETE /id/api/v1/workspaces/w%2F1/members/m1',
    ]);
  });

  test.each([
    [401, 'UNAUTHENTICATED', undefined],
    [403, 'FORBIDDEN', undefined],
    [404, 'NOT_FOUND', undefined],
    [409, 'ALREADY_MEMBER', 'email'],
    [400, 'VALIDATION_ERROR', 'email'],
    [422, 'VALIDATION_ERROR', 'email'],
    [429, 'UPSTREAM_UNAVAILABLE', undefined],
    [500, 'UPSTREAM_UNAVAILABLE', undefined],
    [503, 'UPSTREAM_UNAVAILABLE', undefined],
    [302, 'UPSTREAM_UNAVAILABLE', undefined],
  ])('maps status %i to %s', async (status, code, field) => {
    answer = respondWith(status, { error: { code: 'x', message: 'secret host' } });
    const refused = aDirectory().invite('t', 'w', { email: 'a@example.com', role: 'viewer' });
    await expect(refused).rejects.toMatchObject({ code, field });
    await expect(refused).rejects.not.toThrow('secret host');
  });

  test.each<[string, string | undefined, (directory: Directory) => Promise<unknown>]>([
    ['the creation of a workspace', 'name', (directory) => directory.createWorkspace('t', 'Kopi')],
    ['a rename', 'name', (directory) => directory.renameWorkspace('t', 'w', 'Kopi')],
    ['a change of a role', 'role', (directory) => directory.changeRole('t', 'w', 'm1', 'admin')],
    ['a removal', undefined, (directory) => directory.removeMember('t', 'w', 'm1')],
  ])('maps status 409 of %s to VALIDATION_ERROR', async (_what, field, work) => {
    answer = respondWith(409, {});
    await expect(work(aDirectory())).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test.each<[string, unknown]>([
    ['invalid JSON', '<html>'],
    ['no data field', {}],
    ['data that is not a list', { data: workspace }],
    ['an unknown role', { data: [{ ...workspace, role: 'boss' }] }],
    ['no id', { data: [{ ...workspace, id: '' }] }],
    ['an id that is a path traversal', { data: [{ ...workspace, id: '..' }] }],
    ['more than 1,000 workspaces', { data: Array.from({ length: 1_001 }, () => workspace) }],
    ['more than a megabyte', { data: [{ ...workspace, name: 'x'.repeat(1_100_000) }] }],
  ])('treats a response with %s as a failure', async (_what, body) => {
    answer = respondWith(200, body);
    await expect(aDirectory().listWorkspaces('t')).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });

  test('sanitizes names, so that one invalid name does not break the list', async () => {
    answer = respondWith(200, {
      data: [
        { ...workspace, name: ' Ko\npi\u0000 ' },
        { ...workspace, id: 'w2', name: '' },
      ],
    });
    const named = await aDirectory().listWorkspaces('t');
    expect(named.map(({ name }) => name)).toEqual(['Ko pi', 'w2']);
  });

  test.each<[string, Answer]>([
    ['never responds', () => {}],
    ['never ends its response', (_request, response) => void response.writeHead(200).write('{"data":')],
    ['closes the connection', (_request, response) => void response.destroy()],
  ])('fails within the timeout if the provider %s', async (_what, behavior) => {
    answer = behavior;
    const began = performance.now();
    await expect(aDirectory().listWorkspaces('t')).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(performance.now() - began).toBeLessThan(allowedMs(1_500));
  });

  test('does not follow redirects, which could leak the token', async () => {
    answer = (request, response) =>
      request.url === '/id/api/v1/workspaces'
        ? void response.writeHead(307, { location: '/elsewhere' }).end()
        : respondWith(200, { data: [] })(request, response);
    await expect(aDirectory().listWorkspaces('t')).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(requests.map(({ line }) => line)).toEqual(['GET /id/api/v1/workspaces']);
  });

  test('stops calling the provider after five consecutive failures; rejections do not count as failures', async () => {
    const directory = aDirectory();
    const list = () => directory.listWorkspaces('t').catch((error: { code: string }) => error.code);
    answer = respondWith(403, {});
    for (let i = 0; i < 10; i += 1) expect(await list()).toBe('FORBIDDEN');
    answer = respondWith(500, '');
    for (let i = 0; i < 10; i += 1) expect(await list()).toBe('UPSTREAM_UNAVAILABLE');
    expect(requests).toHaveLength(15);
  });
});
