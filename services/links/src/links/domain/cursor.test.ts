import { describe, expect, test } from '@jest/globals';
import { newId, newUlid, writeCursor as encodeCursor } from '@tautan/kit';
import fc from 'fast-check';
import { readCursor, writeCursor, type Position } from './cursor.js';
import { parseListQuery, type ListInput, type ListQuery } from './list-query.js';

const query = (input: Partial<ListInput> = {}) => parseListQuery({ tags: [], limit: 50, ...input });
const byTime = query();
const byClicks = query({ sort: 'clickCount' });
const snapshot = newUlid();
const ids = (count: number) => Array.from({ length: count }, () => newId('lnk'));
const positions: [ListQuery, Position][] = [
  [byTime, { after: [1_700_000_000_000, newId('lnk')] }],
  [byClicks, { snapshot, offset: 3, count: 9, firstPageIds: [] }],
  [byClicks, { snapshot, offset: 3, count: 1_000_000, firstPageIds: ids(200) }],
  [byClicks, { firstPageIds: ids(200) }],
  [byClicks, { firstPageIds: [] }],
];
const after = positions[0]![1];

describe('a cursor', () => {
  test.each(positions)('decodes to the position that was encoded', (list, position) => {
    expect(readCursor('ws_1', list, writeCursor('ws_1', list, position))).toEqual(position);
  });

  test('fits into a URL, even for the largest page', () => {
    for (const [list, position] of positions) {
      const cursor = writeCursor('ws_1', list, position);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(cursor.length).toBeLessThan(4_400);
    }
  });

  test.each<[string, Partial<ListInput>]>([
    ['q', { q: 'x' }],
    ['tag', { tags: ['x'] }],
    ['status', { status: 'active' }],
    ['sort', { sort: 'clickCount' }],
    ['order', { order: 'asc' }],
    ['domain', { domain: 'l.example' }],
    ['domain (the default one)', { domain: 'default' }],
    ['creator', { createdBy: 'usr_1' }],
    ['first day', { createdFrom: '2030-01-01' }],
    ['last day', { createdTo: '2030-01-01' }],
  ])('is rejected for a query with another %s', (_name, input) => {
    const cursor = writeCursor('ws_1', query(), after);
    expect(() => readCursor('ws_1', query(input), cursor)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'cursor' }),
    );
  });

  test('is only accepted for a query with the same filter', () => {
    const filters: Partial<ListInput>[] = [
      { domain: 'default' },
      { domain: 'l.example' },
      { domain: 'm.example' },
      { createdBy: 'usr_1' },
      { createdBy: 'usr_2' },
      { createdFrom: '2030-01-01' },
      { createdFrom: '2030-01-02' },
      { createdTo: '2030-01-01' },
      { createdTo: '2030-01-02' },
    ];
    for (const filter of filters) {
      const cursor = writeCursor('ws_1', query(filter), after);
      expect(readCursor('ws_1', query(filter), cursor)).toEqual(after);
      for (const other of filters) {
        if (other === filter) continue;
        expect(() => readCursor('ws_1', query(other), cursor)).toThrow(expect.objectContaining({ field: 'cursor' }));
      }
    }
  });

  test('of an earlier version, which had fewer filters, is valid unless its body is malformed', () => {
    const boundTo = ['ws_1', [], [], null, 'createdAt', -1];
    expect(readCursor('ws_1', query(), encodeCursor(boundTo, Buffer.from(JSON.stringify(after))))).toEqual(after);
    expect(() => readCursor('ws_1', query(), encodeCursor(boundTo, Buffer.from('{')))).toThrow(
      expect.objectContaining({ field: 'cursor' }),
    );
  });

  test('with a body of an invalid length or kind is rejected', () => {
    const encoded = (bytes: number[]) => encodeCursor(['ws_1', [], [], null, 'clickCount', -1], Buffer.from(bytes));
    // The first byte is the kind of position. A snapshot position (2) has at least 24 more bytes.
    const position = { snapshot: '0'.repeat(26), offset: 0, count: 0, firstPageIds: [] };
    expect(readCursor('ws_1', byClicks, encoded([2, ...Array<number>(24).fill(0)]))).toEqual(position);
    for (const bytes of [[], [3, ...Array<number>(24).fill(0)], [2, ...Array<number>(23).fill(0)]]) {
      expect(() => readCursor('ws_1', byClicks, encoded(bytes))).toThrow(expect.objectContaining({ field: 'cursor' }));
    }
  });

  test('is rejected in another workspace, and accepted with another limit', () => {
    const cursor = writeCursor('ws_1', query(), after);
    expect(() => readCursor('ws_2', query(), cursor)).toThrow(expect.objectContaining({ field: 'cursor' }));
    expect(readCursor('ws_1', query({ limit: 7 }), cursor)).toEqual(after);
  });

  test('is rejected if any character was altered, or if it is arbitrary text', () => {
    const cursor = writeCursor('ws_1', query(), after);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'ABab09-_%'), (at, character) => {
        const altered = cursor.slice(0, at) + character + cursor.slice(at + 1);
        fc.pre(altered !== cursor);
        expect(() => readCursor('ws_1', query(), altered)).toThrow(expect.objectContaining({ field: 'cursor' }));
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readCursor('ws_1', query(), text)).toThrow(expect.objectContaining({ field: 'cursor' }));
      }),
    );
  });
});

describe('a forged cursor', () => {
  test.each<[string, ListQuery, unknown]>([
    ['an invalid time', byTime, { after: [1e300, newId('lnk')] }],
    ['an invalid id', byTime, { after: [1_700_000_000_000, 'x'] }],
    ['a snapshot for an order by creation time', byTime, { snapshot, offset: 3, count: 9, firstPageIds: [] }],
    ['first page ids for an order by creation time', byTime, { firstPageIds: [newId('lnk')] }],
    ['a link position for an order by clicks', byClicks, after],
  ])('is rejected: %s', (_name, list, position) => {
    const cursor = writeCursor('ws_1', list, position as Position);
    expect(() => readCursor('ws_1', list, cursor)).toThrow(expect.objectContaining({ field: 'cursor' }));
  });
});

describe('a list query', () => {
  test.each<[Partial<ListInput>, string]>([
    [{ limit: 0 }, 'limit'],
    [{ limit: 201 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ status: 'deleted' }, 'status'],
    [{ sort: 'slug' }, 'sort'],
    [{ order: 'up' }, 'order'],
    [{ q: 'a\u0000' }, 'q'],
    [{ q: 'x'.repeat(2_049) }, 'q'],
    [{ tags: ['\ud800'] }, 'tag'],
  ])('%j is rejected', (input, field) => {
    expect(() => query(input)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field }));
  });
});
