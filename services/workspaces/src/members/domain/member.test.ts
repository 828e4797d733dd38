import { expect, test } from '@jest/globals';
import type { Principal } from '@tautan/kit';
import { newReservation } from './invitation.js';
import {
  asOfWrite,
  assertManagerRemains,
  assertNotOwner,
  assertUser,
  emailAddress,
  memberData,
  parseAssignableRole,
  unknownAddress,
  type Member,
} from './member.js';

const fault = (code: string, field?: string) => expect.objectContaining({ code, field });

test('an email address is trimmed and converted to lower case', () => {
  expect(emailAddress(' Ayu.Sari+Kopi@Example.COM ')).toBe('ayu.sari+kopi@example.com');
});

test('an email address has at most 254 characters', () => {
  const address = (length: number) => `a@${'b.'.repeat((length - 6) / 2)}test`;
  expect(emailAddress(address(254))).toHaveLength(254);
  for (const text of ['', 'ayu', address(256)])
    expect(() => emailAddress(text)).toThrow(fault('VALIDATION_ERROR', 'email'));
});

test('every role except owner can be assigned', () => {
  expect(['admin', 'member', 'viewer'].map(parseAssignableRole)).toEqual(['admin', 'member', 'viewer']);
  expect(() => parseAssignableRole('owner')).toThrow('The owner role cannot be assigned.');
  expect(() => parseAssignableRole('Admin')).toThrow('role must be one of admin, member, viewer.');
});

test('API keys cannot act as users', () => {
  expect(() => assertUser({ kind: 'user' } as Principal)).not.toThrow();
  expect(() => assertUser({ kind: 'api_key' } as Principal)).toThrow(fault('PERSON_ONLY'));
});

test('the role and membership of the owner cannot be changed', () => {
  expect(() => assertNotOwner(member('mem_1', 'admin'))).not.toThrow();
  expect(() => assertNotOwner(member('mem_1', 'owner'))).toThrow(fault('FORBIDDEN'));
});

test('the `asOf` of a write is one second ahead, so that despite clock skew no response to an earlier query overrides the write', () => {
  expect(asOfWrite(new Date(5))).toEqual(new Date(1_005));
});

test('the time of joining is represented in ISO 8601, or as null if unknown; an unknown email has a placeholder', () => {
  const known = { ...member('mem_1', 'admin'), userId: null, email: 'ayu@example.com', name: 'Ayu', joinedAt: null };
  const data = { id: 'mem_1', userId: null, email: 'ayu@example.com', name: 'Ayu', role: 'admin', status: 'active' };
  expect(memberData(known)).toEqual({ ...data, joinedAt: null });
  expect(memberData({ ...known, joinedAt: new Date(0) })).toEqual({ ...data, joinedAt: '1970-01-01T00:00:00.000Z' });
  expect(unknownAddress('usr_1')).toBe('usr_1@unknown.invalid');
});

test('reservations for invitations to the same email have the same id, but different attempt ids', () => {
  const invitation = { workspaceId: 'ws_1', email: 'ayu@example.com' };
  const [one, other] = [undefined, 'op_1'].map((operationId) => newReservation({ ...invitation, operationId }));
  expect(one).toMatchObject({ _id: 'ws_1/ayu@example.com', workspaceId: 'ws_1', operationId: null });
  expect(other).toMatchObject({ _id: 'ws_1/ayu@example.com', operationId: 'op_1' });
  expect(one!.attempt).not.toBe(other!.attempt);
});

const member = (_id: string, role: Member['role'], status: Member['status'] = 'active') =>
  ({ _id, role, status }) as Member;

test.each<['can' | 'cannot', string, Member[]]>([
  ['can', 'an owner remains', [member('mem_2', 'owner')]],
  ['can', 'another admin remains', [member('mem_2', 'admin')]],
  ['cannot', 'only an invited admin remains', [member('mem_2', 'admin', 'invited')]],
  ['cannot', 'only members and viewers remain', [member('mem_2', 'member'), member('mem_3', 'viewer')]],
  ['cannot', 'nobody remains', []],
])('an admin %s leave if %s', (can, _remaining, others) => {
  const leaving = member('mem_1', 'admin');
  const check = () => assertManagerRemains([leaving, ...others], leaving);
  if (can === 'can') expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
});

test('a viewer and an invited admin can always leave', () => {
  for (const leaving of [member('mem_1', 'viewer'), member('mem_1', 'admin', 'invited')]) {
    expect(() => assertManagerRemains([leaving], leaving)).not.toThrow();
  }
});
