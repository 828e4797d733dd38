import { describe, expect, test } from '@jest/globals';
import { supportsIdempotencyKey, type Route } from '../routes/route.js';
import { badQueryValues, badValues, fieldsOf } from './bad-values.js';
import { relativeToApi, type Answer, type Client } from './client.js';
import { raw } from './raw.js';

/** The gateway that receives invalid input, and the caller that sends it. */
export interface Target extends Client {
  url: string;
  /** Authorization of an allowed caller; empty for public operations. */
  authorization: string;
  /** Returns a valid id for the path of a route, so that only the input is invalid. */
  idFor: (route: Route) => string;
}

export const refusal = ({ status, error }: Answer) => [status, error?.code, error?.field];
export const pathOf = (route: Route, { idFor }: Target) => relativeToApi(route.path).replace(/\{\w+\}/, idFor(route));

/** A valid body except for one field. */
const bodyWith = (route: Route, field: string, value: unknown) => ({ ...route.request.bodyExample, [field]: value });

/**
 * Tests that the route rejects invalid values of every field, unknown fields, invalid JSON and UTF-8, oversized and
 * compressed bodies, unsupported content types, and invalid idempotency keys.
 */
export function refusesBadBodies(route: Route, target: () => Target): void {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    target().request(route.method, pathOf(route, target()), body, {
      authorization: target().authorization,
      ...headers,
    });

  describe(`the operation ${route.id}`, () => {
    test.each(fieldsOf(route.request.body))('rejects invalid values of %s, naming it', async (field, schema) => {
      await Promise.all(
        badValues(schema).map(async (value) => {
          const answer = await send(bodyWith(route, field, value));
          const shown = `${field} = ${JSON.stringify(value).slice(0, 60)}`;
          expect([shown, ...refusal(answer).slice(0, 2)]).toEqual([shown, 400, 'VALIDATION_ERROR']);
          expect(answer.error!.field!.split('.')[0]).toBe(field);
        }),
      );
    });

    test.each([
      'extra',
      '__proto__',
      'constructor',
      'prototype',
      '$where',
      '$set',
      'toString',
      '',
      'a.b',
      '\ud800',
      'id',
    ])('refuses the unknown field %j, naming it', async (field) => {
      const body = JSON.stringify(route.request.bodyExample).replace(/}$/, `,${JSON.stringify(field)}:1}`);
      expect(refusal(await send(body))).toEqual([400, 'VALIDATION_ERROR', field]);
    });

    const bodies = [
      '{',
      '[]',
      '"x"',
      'null',
      '5',
      'true',
      '{"a":1,}',
      'undefined',
      '{}x',
      "{'url':1}",
      '['.repeat(100_000),
    ];
    test.each(bodies.map((body) => [body.slice(0, 20), body]))('refuses the body %s', async (_start, body) =>
      expect((await send(body)).error?.code).toBe('VALIDATION_ERROR'),
    );

    test('refuses a body with invalid UTF-8', async () => {
      const bytes = Buffer.concat([
        Buffer.from('{"url":"https://example.com/'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}'),
      ]);
      expect(refusal(await send(bytes))).toEqual([400, 'VALIDATION_ERROR', undefined]);
    });

    test('refuses a body that is one byte over the limit, with and without a declared length', async () => {
      const limit = route.request.bodyLimit ?? 1024 * 1024;
      const text = JSON.stringify(route.request.bodyExample);
      const padded = text + ' '.repeat(limit + 1 - text.length);
      expect(refusal(await send(padded))).toEqual([413, 'PAYLOAD_TOO_LARGE', undefined]);
      const head = `${route.method} /api/v1${pathOf(route, target())} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${target().authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const chunked = await raw(target().url, `${head}${padded.length.toString(16)}\r\n${padded}\r\n0\r\n\r\n`);
      expect(chunked).toMatch(/^HTTP\/1.1 413 .*"code":"PAYLOAD_TOO_LARGE"/s);
    });

    test.each([
      '',
      'text/plain',
      'application/json; charset=latin1',
      'application/jsonx',
      'application/x-www-form-urlencoded',
      'x',
    ])('refuses the content type %j', async (type) =>
      expect(refusal(await send('{}', { 'content-type': type }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', undefined]),
    );

    test('refuses a compressed body', async () =>
      expect((await send('{}', { 'content-encoding': 'gzip' })).status).toBe(415));

    if (supportsIdempotencyKey(route)) {
      test.each(['', 'k'.repeat(256), 'ä', 'a\tb'])('refuses the Idempotency-Key %j', async (key) => {
        const answer = await send(route.request.bodyExample, { 'idempotency-key': key });
        expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR', 'Idempotency-Key']);
      });
    }
  });
}

/** Tests that invalid values of every query parameter, and duplicate parameters, are rejected. */
export function refusesBadQueries(route: Route, target: () => Target): void {
  const get = (query: string) =>
    target().request('GET', `${pathOf(route, target())}?${query}`, undefined, {
      authorization: target().authorization,
    });

  describe(`the operation ${route.id}`, () => {
    test.each(fieldsOf(route.request.query))('rejects invalid values of %s, naming it', async (name, schema) => {
      await Promise.all(
        badQueryValues(name, schema).map(async (value) => {
          const answer = await get(`${name}=${value}`);
          const shown = `${name}=${value.slice(0, 60)}`;
          expect([shown, ...refusal(answer).slice(0, 2)]).toEqual([shown, 400, 'VALIDATION_ERROR']);
          expect(answer.error!.field!.split('.')[0]).toBe(name);
        }),
      );
      if (schema.type !== 'array') {
        expect(refusal(await get(`${name}=a&${name}=a`))).toEqual([400, 'VALIDATION_ERROR', name]);
      }
    });
  });
}

const unknownIds = [
  '%00',
  '%0d%0aSet-Cookie:%20a=b',
  '%E0%A4',
  '%',
  '%zz',
  '%ED%A0%80',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '$gt',
  '__proto__',
  'constructor',
  'a'.repeat(65),
  'a'.repeat(8_000),
  'lnk_x',
  'lnk_01JD3X8Q4V5W6Y7Z8A9B0C1D2E',
  'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e',
  ';',
  '*',
  "'",
  ' ',
];

/** Tests that malformed and unknown ids return 404. */
export function refusesBadPaths(route: Route, target: () => Target): void {
  describe(`the path of ${route.id}`, () => {
    test.each(unknownIds.map((id) => [id.slice(0, 40), id]))('returns 404 for %s', async (_start, id) => {
      const path = route.path.replace(/\{\w+\}/, id.replaceAll(' ', '%20'));
      const head = `${route.method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${target().authorization}\r\n`;
      const body = route.request.body ? JSON.stringify(route.request.bodyExample) : '';
      const type = body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
      const answer = await raw(target().url, `${head}${type}\r\n${body}`);
      expect(answer).toMatch(/^HTTP\/1.1 404 .*"code":"NOT_FOUND"/s);
      expect(answer.split('\r\n\r\n')[0]).not.toMatch(/set-cookie/i);
    });
  });
}
