import { expect, test } from '@jest/globals';
import { assertManagerRemains, emailAddress, type Member } from './member.js';

test('an email address is trimmed and converted to lower case', () => {
  expect(emailAddress(' Ayu.Sari+Kopi@Example.COM ')).toBe('ayu.sari+kopi@example.com');
});

const member = (_id: string, role: Member['role'], status: Member['status'] = 'active') =>
  ({ _id, role, status }) as Member;

test.each<[string, Member[], boolean]>([
  ['an owner', [member('mem_2', 'owner')], true],
  ['another admin', [member('mem_2', 'admin')], true],
  ['an invited admin', [member('mem_2', 'admin', 'invited')], false],
  ['members', [member('mem_2', 'member'), member('mem_3', 'viewer')], false],
  ['nobody', [], false],
])('an admin can leave if %s remain: %#', (_left, others, may) => {
  const leaving = member('mem_1', 'admin');
  const check = () => assertManagerRemains([leaving, ...others], leaving);
  if (may) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
});

test('a member without a managing role can always leave', () => {
  for (const leaving of [member('mem_1', 'viewer'), member('mem_1', 'admin', 'invited')]) {
    expect(() => assertManagerRemains([leaving], leaving)).not.toThrow();
  }
});
