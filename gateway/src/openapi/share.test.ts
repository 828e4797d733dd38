import { expect, test } from '@jest/globals';
import { defaultPlans } from '@tautan/proto';
import { gzipSync } from 'node:zlib';
import { operations } from '../routes/table.js';
import { openApiDocument } from './document.js';
import type { JsonSchema } from '@tautan/proto';
import { shareRepeated, type Operation, type Paths } from './share.js';

/** Returns a copy of a part of a document with references resolved. */
function resolve(part: unknown, document: object): unknown {
  if (Array.isArray(part)) return part.map((each) => resolve(each, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...own } = part as JsonSchema;
  const rest = Object.fromEntries(Object.entries(own).map(([key, value]) => [key, resolve(value, document)]));
  if (typeof $ref !== 'string') return rest;
  const target = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as JsonSchema)[key], document);
  return { ...(resolve(target, document) as object), ...rest };
}

const anOperation = (operationId: string, own: Partial<Operation> = {}): Operation => ({
  operationId,
  parameters: [],
  responses: {},
  ...own,
});
const id = { name: 'id', in: 'path', description: 'Id of the link.' };
const cursor = { name: 'cursor', in: 'query', description: 'Position in the list.' };

test('moves a repeated parameter and a repeated response to the components, and the resolved paths stay the same', () => {
  const responses = { 200: { description: 'The link.' }, 404: { description: 'None.' } };
  const paths = {
    '/api/v1/links/{id}': {
      get: anOperation('getLink', { parameters: [id], responses }),
      patch: anOperation('updateLink', { parameters: [id, cursor], responses: { 200: responses[200] } }),
    },
    '/api/v1/tags': { get: anOperation('listTags', { parameters: [{ ...cursor, required: true }] }) },
  };
  const shared = shareRepeated(paths);
  expect(shared.components).toEqual({ parameters: { 'links.id': id }, responses: { getLink: responses[200] } });
  expect(shared.paths['/api/v1/tags']).toEqual(paths['/api/v1/tags']);
  expect(resolve(shared.paths, shared)).toEqual(paths);
});

test('shares only one of several different parameters with the same name', () => {
  const status = (description: string) => ({ name: 'status', in: 'query', description });
  const get = (...parameters: JsonSchema[]) => ({ get: anOperation('list', { parameters }) });
  const paths = {
    '/a': get(status('one')),
    '/b': get(status('one')),
    '/c': get(status('two')),
    '/d': get(status('two')),
  };
  const shared = shareRepeated(paths);
  expect(Object.values(shared.components.parameters)).toEqual([status('one')]);
  expect(resolve(shared.paths, shared)).toEqual(paths);
});

test('leaves the meaning of all operations unchanged', () => {
  const document = openApiDocument(operations, { plans: defaultPlans });
  const paths = resolve(document['paths'], document) as Paths;
  const shared = shareRepeated(paths);
  expect(Object.keys(shared.components.responses).length).toBeGreaterThan(10);
  expect(resolve(shared.paths, shared)).toEqual(paths);
});

test('the document contains no response twice', () => {
  const { paths } = openApiDocument(operations, { plans: defaultPlans }) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const inline = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .filter((response) => !('$ref' in response))
    .map((response) => JSON.stringify(response));
  expect(new Set(inline).size).toBe(inline.length);
});

test('the document is smaller than 200 kB, and smaller than 31 kB when compressed', () => {
  const text = JSON.stringify(openApiDocument(operations, { plans: defaultPlans }));
  expect(text.length).toBeLessThan(200_000);
  expect(gzipSync(text).length).toBeLessThan(31_000);
});
