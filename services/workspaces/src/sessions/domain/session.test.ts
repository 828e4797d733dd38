import { expect, test } from '@jest/globals';
import { isId, timeOfId } from '@tautan/kit';
import { hashOf, isBrowserOf, returnPath, type Login } from './login.js';
import { password } from './password.js';
import {
  isAccessEnding,
  isJustRefreshed,
  isSecretOf,
  isSessionSecret,
  newSessionSecret,
  publicSessionId,
  sessionEnd,
  sessionIdOf,
  shouldRecordUse,
  type Session,
} from './session.js';

const now = new Date('2030-01-01T12:00:00.000Z');
const after = (ms: number): Date => new Date(now.getTime() + ms);
const refused = (field: string, message: string) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', field, message });
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

test('a secret matches only its own session', () => {
  const [secret, other] = [newSessionSecret(), newSessionSecret()];
  const session = { _id: sessionIdOf(secret) };
  expect([isSecretOf(session, secret), isSecretOf(session, other)]).toEqual([true, false]);
  expect(isSecretOf({ _id: sessionIdOf('tau_session_x') }, 'tau_session_x')).toBe(false);
});

test('a secret has a prefix and 32 bytes', () => {
  const secret = newSessionSecret();
  expect(isSessionSecret(secret)).toBe(true);
  for (const text of [
    '',
    secret.slice(1),
    secret.slice(0, -1),
    `${secret}x`,
    `x${secret}`,
    `${secret.slice(0, -1)}+`,
  ]) {
    expect(isSessionSecret(text)).toBe(false);
  }
});

test('the public id of a session contains its creation time, and differs from those of other sessions', () => {
  const id = publicSessionId({ _id: 'a', createdAt: now });
  expect([isId(id, 'ses'), timeOfId(id)]).toEqual([true, now]);
  expect(publicSessionId({ _id: 'b', createdAt: now })).not.toBe(id);
});

test('a session ends 30 days after its last use, or with an access token that cannot be refreshed', () => {
  expect(sessionEnd({ refreshToken: Buffer.of(1), accessExpiresAt: after(HOUR) }, now)).toEqual(after(30 * DAY));
  expect(sessionEnd({ refreshToken: null, accessExpiresAt: after(HOUR) }, now)).toEqual(after(HOUR));
});

test('the use of a session is recorded once an hour', () => {
  const isRecorded = (lastSeenAt: Date) => shouldRecordUse({ lastSeenAt } as Session, now);
  expect([isRecorded(after(-HOUR)), isRecorded(after(1 - HOUR))]).toEqual([true, false]);
});

test('an access token is about to expire if less than a minute is left', () => {
  const ending = (accessExpiresAt: Date) => isAccessEnding({ accessExpiresAt } as Session, now);
  expect([ending(after(MINUTE)), ending(after(MINUTE - 1)), ending(after(-1))]).toEqual([false, true, true]);
});

test("tokens count as just refreshed for five seconds, even if another replica's clock is ahead", () => {
  const justRefreshed = (ms: number) => isJustRefreshed({ refreshedAt: after(ms) } as Session, now);
  expect([-5_000, -4_999, 4_999, 5_000].map(justRefreshed)).toEqual([false, true, true, false]);
});

test('a sign-in belongs to the browser that started it', () => {
  const login = { browserHash: hashOf('secret') } as Login;
  expect([isBrowserOf(login, 'secret'), isBrowserOf(login, 'other')]).toEqual([true, false]);
});

test.each([
  ['', '/'],
  ['/', '/'],
  ['/links?tag=a#b', '/links?tag=a#b'],
  [`/${'x'.repeat(2_047)}`, `/${'x'.repeat(2_047)}`],
])('a sign-in with the return path %j returns to %j', (text, path) => expect(returnPath(text)).toBe(path));

test.each(['links', '//evil.example', '/\\evil.example', 'x/links', '/a\n', '/a\\', `/${'x'.repeat(2_048)}`])(
  'a sign-in cannot return to %j',
  (text) => {
    expect(() => returnPath(text)).toThrow(
      refused('returnTo', 'returnTo must be a path of this site, such as /links.'),
    );
  },
);

test('a password has 1 to 1,024 characters', () => {
  for (const text of ['x', 'x'.repeat(1_024)]) expect(password(text)).toBe(text);
  expect(() => password('')).toThrow(refused('password', 'password must not be empty.'));
  const long = refused('password', 'password must have at most 1024 characters.');
  expect(() => password('x'.repeat(1_025))).toThrow(long);
});
