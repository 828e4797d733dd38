import { expect, test } from '@jest/globals';
import { mergeProfile, type ProfileClaims } from './user.js';

const known = { email: 'ayu@example.com', emailVerified: true, name: 'Ayu' };
const none: ProfileClaims = { email: null, emailVerified: null, name: null };

test('claims without an email do not verify the known email', () => {
  const unverified = { ...known, emailVerified: false };
  expect(mergeProfile(unverified, { ...none, emailVerified: true })).toEqual(unverified);
});

test.each<[string, Partial<ProfileClaims>, Partial<typeof known>]>([
  ['keep what they do not mention', {}, {}],
  ['set a new email, in lower case and unverified', { email: 'A@b.com' }, { email: 'a@b.com', emailVerified: false }],
  ['keep the verification of the same email', { email: 'AYU@example.com' }, {}],
  ['withdraw the verification of the known email', { emailVerified: false }, { emailVerified: false }],
  ['set a new email and its verification', { email: 'a@b.com', emailVerified: true }, { email: 'a@b.com' }],
  ['set the name, on one line', { name: ' Ayu\nSari ' }, { name: 'Ayu Sari' }],
  ['keep the known name if the new one is empty', { name: '\n' }, {}],
  ['set at most 200 characters of a name', { name: 'x'.repeat(201) }, { name: 'x'.repeat(200) }],
  [
    'set at most 254 characters of an email',
    { email: 'x'.repeat(255) },
    { email: 'x'.repeat(254), emailVerified: false },
  ],
])('claims %s', (_what, claims, expected) => {
  expect(mergeProfile(known, { ...none, ...claims })).toEqual({ ...known, ...expected });
});

test('a user without a name is named after the local part of the email', () => {
  const unnamed = { email: '', emailVerified: false, name: '' };
  expect(mergeProfile(unnamed, { ...none, email: 'ayu@example.com' }).name).toBe('ayu');
  expect(mergeProfile(unnamed, none)).toEqual(unnamed);
});
