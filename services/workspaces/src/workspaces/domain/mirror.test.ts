import { describe, expect, test } from '@jest/globals';
import type { Member } from '../../members/domain/member.js';
import { mergeMembers, type ReportedMember } from './mirror.js';

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
const aReportedMember = (overrides: Partial<ReportedMember> = {}): ReportedMember => ({
  externalId: 'x1',
  userId: 'usr_1',
  email: 'ayu@example.com',
  name: 'Ayu',
  role: 'member',
  status: 'active',
  joinedAt: at(0),
  ...overrides,
});
const merge = (known: Member[], provided: ReportedMember[], readAt = at(5)) =>
  mergeMembers('ws_1', known, provided, readAt);
const noChanges = { added: [], changed: [], removed: [] };

describe('merging members', () => {
  test('changes nothing if nothing differs', () => {
    expect(merge([aMember()], [aReportedMember()])).toEqual(noChanges);
    expect(merge([aMember()], [aReportedMember({ userId: null, name: '', joinedAt: null })])).toEqual(noChanges);
  });

  test('adds new members, updates changed ones, and removes those that the provider no longer reports', () => {
    const former = aMember({ _id: 'mem_2', externalId: 'x2', userId: 'usr_2', email: 'budi@example.com' });
    const newMember = aReportedMember({ externalId: 'x3', userId: null, email: 'citra@example.com' });
    const { added, changed, removed } = merge([aMember(), former], [aReportedMember({ role: 'admin' }), newMember]);
    expect(added).toMatchObject([{ workspaceId: 'ws_1', email: 'citra@example.com', status: 'active' }]);
    expect(changed).toMatchObject([{ before: { role: 'member' }, after: { _id: 'mem_1', role: 'admin' } }]);
    expect(removed).toEqual([former]);
  });

  test.each<[string, Partial<Member>, Partial<ReportedMember>]>([
    ["the provider's id", { userId: null }, { email: 'ayu@new.example.com', userId: null }],
    ['the user', { externalId: null }, { email: 'ayu@new.example.com' }],
    ['the email', { externalId: null, userId: null }, {}],
    ['the email, if the provider names no user', { externalId: null }, { userId: null }],
  ])('matches a member by %s', (_by, known, provided) => {
    const { added, changed, removed } = merge([aMember(known)], [aReportedMember(provided)]);
    expect([added, removed]).toEqual([[], []]);
    expect(changed).toMatchObject([
      {
        after: {
          _id: 'mem_1',
          ...aReportedMember({ userId: null, ...provided }),
          userId: known.userId === null ? aReportedMember(provided).userId : 'usr_1',
        },
      },
    ]);
  });

  test.each<[string, Partial<ReportedMember>]>([
    ['another user', { externalId: 'x9', userId: 'usr_9' }],
    ['another membership', { externalId: 'x9', userId: null }],
  ])('treats %s as a different member, even if the email is the same', (_what, provided) => {
    const { added, removed } = merge([aMember()], [aReportedMember(provided)]);
    expect(removed).toMatchObject([{ _id: 'mem_1' }]);
    expect(added).toMatchObject([{ email: 'ayu@example.com', externalId: 'x9' }]);
  });

  test('removes an active member who is reported as invited, and adds the invitation', () => {
    const { added, removed } = merge([aMember()], [aReportedMember({ status: 'invited', joinedAt: null })]);
    expect(removed).toMatchObject([{ _id: 'mem_1' }]);
    expect(added).toMatchObject([{ status: 'invited', joinedAt: null }]);
  });

  test('keeps local writes made after the provider was queried', () => {
    const written = aMember({ role: 'admin', asOf: at(6) });
    expect(merge([written], [aReportedMember()])).toEqual(noChanges);
    expect(merge([written], [])).toEqual(noChanges);
    expect(merge([written], [aReportedMember({ status: 'invited' })])).toEqual(noChanges);
    expect(merge([written], [aReportedMember({ externalId: 'x9', userId: 'usr_9' })])).toEqual(noChanges);
  });

  test('always applies the acceptance of an invitation', () => {
    const invited = aMember({ userId: null, status: 'invited', joinedAt: null, asOf: at(6) });
    const { changed } = merge([invited], [aReportedMember()]);
    expect(changed).toMatchObject([{ after: { status: 'active', userId: 'usr_1', joinedAt: at(0) } }]);
  });

  test('keeps one member per email if the provider lists duplicates', () => {
    const twice = [aReportedMember({ externalId: 'x1' }), aReportedMember({ externalId: 'x2', userId: 'usr_2' })];
    expect(merge([], twice).added).toMatchObject([{ externalId: 'x1' }]);
  });

  test('keeps local writes made at the same time as the query', () => {
    const written = aMember({ role: 'admin', asOf: at(5) });
    expect(merge([written], [aReportedMember()])).toEqual(noChanges);
    expect(merge([written], [])).toEqual(noChanges);
    expect(merge([written], [aReportedMember({ externalId: 'x9', userId: 'usr_9' })])).toEqual(noChanges);
  });

  test('updates an invitation that is still pending, unless it was changed locally after the query', () => {
    const invited = aMember({ status: 'invited', joinedAt: null });
    const pending = aReportedMember({ status: 'invited', joinedAt: null });
    expect(merge([invited], [pending])).toEqual(noChanges);
    const { added, changed, removed } = merge([invited], [{ ...pending, role: 'admin' }]);
    expect([added, removed]).toEqual([[], []]);
    expect(changed).toMatchObject([{ after: { _id: 'mem_1', role: 'admin', joinedAt: null } }]);
    expect(merge([{ ...invited, asOf: at(6) }], [{ ...pending, role: 'admin' }])).toEqual(noChanges);
  });

  test.each<[string, Partial<Member>, Partial<ReportedMember>]>([
    ['without provider ids', { externalId: null }, { externalId: null, userId: 'usr_9' }],
    ['without users', { userId: null }, { externalId: 'x9', userId: null }],
    ['without provider ids or users', { externalId: null, userId: null }, { externalId: null, userId: null }],
  ])('does not match members %s whose emails differ', (_what, known, provided) => {
    const { added, removed } = merge([aMember(known)], [aReportedMember({ ...provided, email: 'citra@example.com' })]);
    expect([added, removed]).toMatchObject([[{ email: 'citra@example.com' }], [{ _id: 'mem_1' }]]);
  });

  test('sets the time of joining that the provider reports, or else the time of the query', () => {
    expect(merge([], [aReportedMember({ joinedAt: at(1) })]).added).toMatchObject([{ joinedAt: at(1) }]);
    expect(merge([], [aReportedMember({ joinedAt: null })]).added).toMatchObject([{ joinedAt: at(5) }]);
    const { changed } = merge([aMember({ joinedAt: null })], [aReportedMember({ joinedAt: at(1) })]);
    expect(changed).toMatchObject([{ after: { joinedAt: at(1) } }]);
  });
});
