import { expect, test } from '@jest/globals';
import { assertManagerRemains, emailAddress, type Member } from './member.js';

test('an email address is trimmed and converted to lower case', () => {
  expect(emailAddress(' Ayu.Sari+Kopi@Example.COM ')).toBe('ayu.sari+kopi@example.com');
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

test('a member without a managing role can always leave', () => {
  for (const leaving of [member('mem_1', 'viewer'), member('mem_1', 'admin', 'invited')]) {
    expect(() => assertManagerRemains([leaving], leaving)).not.toThrow();
  }
});
