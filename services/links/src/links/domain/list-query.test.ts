import { expect, test } from '@jest/globals';
import { parseListQuery, type ListInput } from './list-query.js';

const parse = (input: Partial<ListInput> = {}) => parseListQuery({ tags: [], limit: 50, ...input });
const all = {
  terms: [],
  tags: [],
  status: undefined,
  order: { key: 'createdAt', direction: -1 },
  domain: undefined,
  createdBy: undefined,
  createdFrom: undefined,
  createdTo: undefined,
};

test('a list has all links, newest first, by default', () => expect(parse()).toEqual(all));

test.each<[Partial<ListInput>, object]>([
  [{ q: 'B a' }, { terms: ['a', 'b'] }],
  [{ tags: ['b', 'a'] }, { tags: ['a', 'b'] }],
  [
    { status: 'archived', createdBy: 'usr_1' },
    { status: 'archived', createdBy: 'usr_1' },
  ],
  [{ sort: 'clickCount', order: 'asc' }, { order: { key: 'clickCount', direction: 1 } }],
  [{ sort: 'lastClickAt', order: 'desc' }, { order: { key: 'lastClickAt', direction: -1 } }],
  [{ domain: 'default' }, { domain: null }],
  [{ domain: 'L.Example' }, { domain: 'l.example' }],
  [
    { createdFrom: '2030-01-01', createdTo: '2030-01-01' },
    { createdFrom: new Date('2030-01-01T00:00:00.000Z'), createdTo: new Date('2030-01-01T23:59:59.999Z') },
  ],
  [{ createdFrom: '2030-01-01' }, { createdFrom: new Date('2030-01-01T00:00:00.000Z') }],
  [{ createdTo: '2030-01-01' }, { createdTo: new Date('2030-01-01T23:59:59.999Z') }],
  [
    { createdFrom: '2030-01-01T00:00:00Z', createdTo: '2030-01-01T00:00:00Z' },
    { createdFrom: new Date('2030-01-01T00:00:00.000Z'), createdTo: new Date('2030-01-01T00:00:00.000Z') },
  ],
])('%j is parsed as %j', (input, query) => expect(parse(input)).toEqual({ ...all, ...query }));

test.each<[string, Partial<ListInput>]>([
  ['limit', { limit: 0 }],
  ['q', { q: '\n' }],
  ['tag', { tags: Array.from({ length: 21 }, (_, i) => `${i}`) }],
  ['status', { status: '' }],
  ['sort', { sort: 'url' }],
  ['order', { order: 'up' }],
  ['domain', { domain: 'a b' }],
  ['createdFrom', { createdFrom: '2030' }],
  ['createdTo', { createdTo: '2030' }],
  ['createdFrom', { createdFrom: '2030-01-02', createdTo: '2030-01-01' }],
])('a list query is rejected with an error that names %s: %j', (field, input) => {
  expect(() => parse(input)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field }));
});
