import { describe, expect, test } from '@jest/globals';
import { newId, writeCursor } from '@tautan/kit';
import type { TautanEvent } from '@tautan/proto';
import {
  actionsWith,
  auditCursor,
  auditCursorId,
  auditFilter,
  entryOf,
  FIRST_HASH,
  hashOf,
  isAudited,
  type AuditEntry,
  type AuditFilterInput,
} from './audit.js';

const event = {
  id: 'evt_01',
  type: 'tag.updated',
  at: '2030-01-01T00:00:00.000Z',
  workspaceId: 'ws_1',
  actor: { type: 'user', id: 'usr_1', name: 'Ayu' },
  requestId: 'req_1',
  ip: '192.0.2.7',
  userAgent: 'test/1',
  target: { type: 'tag', id: 'tag_1', label: 'spring' },
  changes: { name: { before: ['a', { c: 1, b: null }], after: undefined } },
} as unknown as TautanEvent;
const head = { _id: 'ws_1', seq: 0, hash: FIRST_HASH };
// This value must never change, because chains that are already stored could then no longer be verified.
const STORED_HASH = 'add48689f0809139a08cd22090413673795ae2eb8f1c6f55e527644d399746df';

describe('an audit entry', () => {
  test('follows the head of its chain', () => {
    const { hash, ...entry } = entryOf(event, { ...head, seq: 6 });
    const { id: _, type, at, ...fields } = event;
    expect(entry).toEqual({ ...fields, _id: 'aud_01', seq: 7, action: type, createdAt: new Date(at) });
    expect(hash).toEqual(hashOf(entry, FIRST_HASH));
    expect(entryOf(event, { ...head, seq: 6, hash: Buffer.alloc(32, 1) }).hash).not.toEqual(hash);
  });

  test('has a hash that stays the same in later versions', () => {
    expect(entryOf(event, head).hash.toString('hex')).toBe(STORED_HASH);
  });

  test('has a hash that depends on each of its fields', () => {
    const entry = entryOf(event, head);
    const changed: Partial<AuditEntry>[] = [
      { _id: 'aud_02' },
      { workspaceId: 'ws_2' },
      { seq: 2 },
      { action: 'tag.deleted' },
      { actor: { ...entry.actor, type: 'api_key' } },
      { actor: { ...entry.actor, id: null } },
      { actor: { ...entry.actor, name: 'Budi' } },
      { target: { ...entry.target, type: 'link' } },
      { target: { ...entry.target, id: 'tag_2' } },
      { target: { ...entry.target, label: 'summer' } },
      { changes: {} },
      { changes: { name: { before: ['a', { c: 1, b: 2 }], after: null } } },
      { changes: { name: { before: [{ c: 1, b: null }, 'a'], after: null } } },
      { ip: null },
      { userAgent: null },
      { requestId: null },
      { createdAt: new Date(0) },
    ];
    const hashes = changed.map((fields) => hashOf({ ...entry, ...fields }, FIRST_HASH).toString('hex'));
    expect(new Set([...hashes, entry.hash.toString('hex')]).size).toBe(changed.length + 1);
  });

  test('has a hash that does not depend on the order of stored fields', () => {
    const entry = entryOf(event, head);
    const changes = { name: { after: null, before: ['a', { b: null, c: 1 }] } };
    expect(hashOf({ ...entry, changes }, FIRST_HASH)).toEqual(entry.hash);
  });
});

test('clicks and test events are not audited, and their types are not actions', () => {
  expect((['tag.updated', 'link.clicked', 'webhook.test'] as const).map(isAudited)).toEqual([true, false, false]);
  expect(actionsWith('tag.')).toEqual(expect.arrayContaining(['tag.created', 'tag.updated', 'tag.deleted']));
  expect(actionsWith('tag.').filter((action) => !action.startsWith('tag.'))).toEqual([]);
  expect(actionsWith('webhook.')).toEqual([]);
});

describe('a filter', () => {
  const filter = (input: AuditFilterInput) => auditFilter('ws_1', input);
  const none = { workspaceId: 'ws_1', action: undefined, actor: undefined, target: undefined };

  test.each([
    ['link.created', 'link.created'],
    ['link.', 'link.'],
    ['link', 'link.'],
    ['qr_code.link_set', 'qr_code.link_set'],
    ['', undefined],
  ])('by the action %j becomes %j', (text, action) => expect(filter({ action: text })).toEqual({ ...none, action }));

  test.each(['Link', 'link.created.', '.created', 'link created', '1'])('by the action %j is rejected', (action) => {
    expect(() => filter({ action })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'action' }));
  });

  test('by the actor "system" becomes null, the actor id of the system', () => {
    expect(filter({ actor: 'system', target: 'tag_1' })).toEqual({ ...none, actor: null, target: 'tag_1' });
    expect(filter({ actor: 'usr_1' })).toEqual({ ...none, actor: 'usr_1' });
  });

  test('has an inclusive range of dates, whose start must not be after its end', () => {
    const day = '2030-01-01';
    const range = { from: new Date('2030-01-01T00:00:00.000Z'), to: new Date('2030-01-01T23:59:59.999Z') };
    expect(filter({ from: day, to: day })).toEqual({ ...none, ...range });
    const same = '2030-01-01T00:00:00Z';
    expect(filter({ from: same, to: same })).toEqual({ ...none, from: range.from, to: range.from });
    const refused = expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'from' });
    expect(() => filter({ from: '2030-01-02', to: day })).toThrow(refused);
  });
});

describe('a cursor', () => {
  const filter = auditFilter('ws_1', { action: 'link' });
  const invalidCursor = expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'cursor' });

  test('is bound to its filter', () => {
    const id = newId('aud');
    expect(auditCursorId(filter, auditCursor(filter, id))).toBe(id);
    expect(auditCursorId(filter, '')).toBeUndefined();
    expect(() => auditCursorId(auditFilter('ws_1', {}), auditCursor(filter, id))).toThrow(invalidCursor);
    // A cursor of another list with the same filter.
    const bare = writeCursor([JSON.stringify(filter)], Buffer.from(id));
    expect(() => auditCursorId(filter, bare)).toThrow(invalidCursor);
  });

  test('is rejected unless it contains the id of an entry', () => {
    expect(() => auditCursorId(filter, auditCursor(filter, newId('evt')))).toThrow(invalidCursor);
  });
});
