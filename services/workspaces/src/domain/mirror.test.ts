import { describe, expect, test } from '@jest/globals';
import type { Member } from './member.js';
import { mergeMembers, type SeenMember } from './mirror.js';

const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute));
const aMember = (overrides: Partial<Member> = {}): Member => ({
  _id: 'mem_1',
  workspaceId: 'ws_1',
  externalId: 'x1',
  userId: 'usr_1',
  email: 'ayu@example.com',
  name: 'Ayu',
  role: 'member',
  status: 'active',
  joinedAt: at(0),
  asOf: at(0),
  createdAt: at(0),
  ...overrides,
});
const seen = (overrides: Partial<SeenMember> = {}): SeenMember => ({
  externalId: 'x1',
  userId: 'usr_1',
  email: 'ayu@example.com',
  name: 'Ayu',
  role: 'member',
  status: 'active',
  joinedAt: at(0),
  ...overrides,
});
const merge = (known: Member[], provided: SeenMember[], readAt = at(5)) =>
  mergeMembers('ws_1', known, provided, readAt);
const nothing = { added: [], changed: [], removed: [] };

describe('a merge of members', () => {
  test('of what is the same changes nothing', () => {
    expect(merge([aMember()], [seen()])).toEqual(nothing);
    expect(merge([aMember()], [seen({ userId: null, name: '', joinedAt: null })])).toEqual(nothing);
  });

  test('adds, changes and removes', () => {
    const gone = aMember({ _id: 'mem_2', externalId: 'x2', userId: 'usr_2', email: 'budi@example.com' });
    const fresh = seen({ externalId: 'x3', userId: null, email: 'citra@example.com' });
    const { added, changed, removed } = merge([aMember(), gone], [seen({ role: 'admin' }), fresh]);
    expect(added).toMatchObject([{ workspaceId: 'ws_1', email: 'citra@example.com', status: 'active' }]);
    expect(changed).toMatchObject([{ before: { role: 'member' }, after: { _id: 'mem_1', role: 'admin' } }]);
    expect(removed).toEqual([gone]);
  });

  test.each<[string, Partial<Member>, Partial<SeenMember>]>([
    ["the provider's id", { userId: null }, { email: 'ayu@new.example.com', userId: null }],
    ['the person', { externalId: null }, { email: 'ayu@new.example.com' }],
    ['the email', { externalId: null, userId: null }, {}],
    ['the email, where the provider names no person', { externalId: null }, { userId: null }],
  ])('recognises a member by %s', (_by, known, provided) => {
    const { added, changed, removed } = merge([aMember(known)], [seen(provided)]);
    expect([added, removed]).toEqual([[], []]);
    expect(changed).toMatchObject([{ after: { _id: 'mem_1', ...seen({ userId: null, ...provided }), userId: known.userId === null ? (seen(provided).userId) : 'usr_1' } }]); // prettier-ignore
  });

  test.each<[string, Partial<SeenMember>]>([
    ['another person', { externalId: 'x9', userId: 'usr_9' }],
    ['another membership', { externalId: 'x9', userId: null }],
  ])('takes %s of the same email for somebody else', (_what, provided) => {
    const { added, removed } = merge([aMember()], [seen(provided)]);
    expect(removed).toMatchObject([{ _id: 'mem_1' }]);
    expect(added).toMatchObject([{ email: 'ayu@example.com', externalId: 'x9' }]);
  });

  test('takes who is only invited again for somebody who was out', () => {
    const { added, removed } = merge([aMember()], [seen({ status: 'invited', joinedAt: null })]);
    expect(removed).toMatchObject([{ _id: 'mem_1' }]);
    expect(added).toMatchObject([{ status: 'invited', joinedAt: null }]);
  });

  test('leaves alone what was written here since the provider was asked', () => {
    const written = aMember({ role: 'admin', asOf: at(6) });
    expect(merge([written], [seen()])).toEqual(nothing);
    expect(merge([written], [])).toEqual(nothing);
    expect(merge([written], [seen({ status: 'invited' })])).toEqual(nothing);
    expect(merge([written], [seen({ externalId: 'x9', userId: 'usr_9' })])).toEqual(nothing);
  });

  test('always takes up that an invitation was taken up', () => {
    const invited = aMember({ userId: null, status: 'invited', joinedAt: null, asOf: at(6) });
    const { changed } = merge([invited], [seen()]);
    expect(changed).toMatchObject([{ after: { status: 'active', userId: 'usr_1', joinedAt: at(0) } }]);
  });

  test('has one member of an email, whatever the provider lists', () => {
    const twice = [seen({ externalId: 'x1' }), seen({ externalId: 'x2', userId: 'usr_2' })];
    expect(merge([], twice).added).toMatchObject([{ externalId: 'x1' }]);
  });
});
