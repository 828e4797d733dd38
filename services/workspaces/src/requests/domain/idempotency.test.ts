import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Sealing } from '@tautan/kit';
import {
  assertFingerprint,
  assertHolder,
  openAnswer,
  recordId,
  requestState,
  sealAnswer,
  type IdempotentRequest,
} from './idempotency.js';

const refused = (field: string) => expect.objectContaining({ code: 'VALIDATION_ERROR', field });

describe('a stored response', () => {
  const sealing = new Sealing([randomBytes(32)]);
  const answer = { status: 201, body: '{"key":"secret"}' };

  test('is encrypted, and can be decrypted only for its request', () => {
    const sealed = sealAnswer(sealing, 'ws_1/a', answer);
    expect(sealed.sealed.includes('secret')).toBe(false);
    expect(openAnswer(sealing, 'ws_1/a', sealed)).toEqual(answer);
    expect(openAnswer(sealing, 'ws_1/a', sealAnswer(sealing, 'ws_1/a', { ...answer, body: '' })).body).toBe('');
    const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });
    expect(() => openAnswer(sealing, 'ws_1/b', sealed)).toThrow(unavailable);
    expect(() => openAnswer(new Sealing([randomBytes(32)]), 'ws_1/a', sealed)).toThrow(unavailable);
  });
});

describe('an idempotency key', () => {
  test.each(['a', ' ~', 'x'.repeat(255)])('%j is accepted', (key) => {
    expect(recordId('ws_1', key)).toMatch(/^ws_1\/[0-9a-f]{64}$/);
  });

  test.each(['', 'é', 'a\n', '\na', 'x'.repeat(256), '\u007f', '\u001f'])('%j is rejected', (key) => {
    expect(() => recordId('ws_1', key)).toThrow(refused('Idempotency-Key'));
  });

  test('that differs from another results in a different record id', () =>
    expect(recordId('ws_1', 'a')).not.toBe(recordId('ws_1', 'b')));
});

test('claiming an idempotency key requires the id of a process and a SHA-256 fingerprint', () => {
  expect(() => assertHolder({ process: 'p', instance: null })).not.toThrow();
  for (const holder of [null, { process: '', instance: 'a' }]) {
    expect(() => assertHolder(holder)).toThrow(refused('process'));
  }
  expect(() => assertFingerprint(randomBytes(32))).not.toThrow();
  for (const length of [31, 33]) expect(() => assertFingerprint(randomBytes(length))).toThrow(refused('fingerprint'));
});

describe('a repetition of a request', () => {
  const now = new Date('2030-01-01T00:00:00.000Z');
  const later = new Date(now.getTime() + 1);
  const fingerprint = Buffer.alloc(32);
  const other = Buffer.alloc(32, 1);

  test.each([
    ['running', later, fingerprint, 'in_progress'],
    ['running', now, fingerprint, 'in_progress'],
    ['released', later, fingerprint, 'released'],
    ['released', now, fingerprint, 'expired'],
    ['done', later, fingerprint, 'replay'],
    ['done', now, fingerprint, 'expired'],
    ['done', now, other, 'expired'],
    ['done', later, other, 'mismatch'],
    ['released', later, other, 'mismatch'],
    ['running', now, other, 'mismatch'],
  ] as const)(
    'is classified by the recorded state (%s), expiry (%s) and fingerprint (case %#)',
    (state, expireAt, sent, expected) => {
      expect(requestState({ state, expireAt, fingerprint } as IdempotentRequest, sent, now)).toBe(expected);
    },
  );
});
