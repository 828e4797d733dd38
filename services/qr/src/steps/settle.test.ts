import { expect, test } from '@jest/globals';
import { createLog, fail, type ErrorCode } from '@tautan/kit';
import { mongo } from 'mongoose';
import type { Pending, QrCode } from '../domain/qr-code.js';
import { settle, type SettleDeps } from './settle.js';

const set = { title: 'new' };
const pending: Pending = { version: 2, event: 'qr_code.updated', set, tags: null, tagsBefore: [], by: null };
const code = { _id: 'qr_1', workspaceId: 'ws_1', state: 'live', version: 1, pending } as unknown as QrCode;

/** Returns dependencies whose link service accepts every change and whose transactions fail. */
const failingWith = (error: Error) =>
  ({
    routes: { put: () => Promise.resolve({ slug: 'abc', tags: [] }) },
    transact: () => Promise.reject(error),
  }) as unknown as SettleDeps;

const duplicate = Object.assign(new Error('E11000'), { code: 11_000 });
const ended = fail('TIMEOUT', 'The request timed out. The change may still have been applied.');

test.each([
  ['unavailable', new mongo.MongoNetworkError('closed'), 'SERVICE_UNAVAILABLE'],
  ['full', Object.assign(new Error('full'), { code: 14_031 }), 'SERVICE_UNAVAILABLE'],
  ['contended', Object.assign(new Error('conflict'), { code: 112 }), 'SERVICE_UNAVAILABLE'],
  ['too slow', Object.assign(new Error('slow'), { code: 50 }), 'TIMEOUT'],
])(
  'the error of a change that is not committed because the database is %s says that the change will be applied later',
  async (_, error, expected) => {
    const message = 'The change is stored and will be applied as soon as possible.';
    const requested = settle(failingWith(error), code, { isRequested: true });
    await expect(requested).rejects.toMatchObject({ code: expected, message });
    // The completion of another caller's change fails with the original error.
    await expect(settle(failingWith(error), code)).rejects.toBe(error);
  },
);

test.each([
  ['another process has completed or dropped it', ended],
  ['of a defect', duplicate],
])('a change that is not committed because %s fails with the original error', async (_, error) => {
  await expect(settle(failingWith(error), code, { isRequested: true })).rejects.toBe(error);
});

/**
 * Settles a change that the link service does not accept. Returns the error, what the store did, and the number of
 * warnings. `broken` makes the store fail.
 */
async function settleRejected(errorCode: ErrorCode, { state = 'live', broken = false } = {}) {
  const done: string[] = [];
  let warnings = 0;
  const record = (name: string) => async () => {
    if (broken) throw new Error('broken');
    done.push(name);
  };
  const deps = {
    routes: { put: () => Promise.reject(fail(errorCode, 'rejected')) },
    store: { qrCodes: { revoke: record('revoke'), release: record('release') } },
    log: { ...createLog('test', 'silent'), warn: () => void (warnings += 1) },
  };
  const error = await settle(deps as unknown as SettleDeps, { ...code, state } as QrCode).catch(
    (reason: unknown) => reason,
  );
  return { error, done, warnings };
}

test.each<[ErrorCode, string]>([
  ['VALIDATION_ERROR', 'revoke'],
  ['NOT_FOUND', 'revoke'],
  ['FORBIDDEN', 'revoke'],
  ['SLUG_TAKEN', 'revoke'],
  ['PLAN_LIMIT_EXCEEDED', 'revoke'],
  ['SERVICE_UNAVAILABLE', 'release'],
  ['TIMEOUT', 'release'],
  ['INTERNAL_ERROR', 'release'],
])(
  'after %s from the link service, `%s` is called for a change to a live code, and a failure of that call is only logged',
  async (errorCode, expected) => {
    const error = expect.objectContaining({ code: errorCode });
    expect(await settleRejected(errorCode)).toEqual({ error, done: [expected], warnings: 0 });
    expect(await settleRejected(errorCode, { state: 'begun' })).toEqual({ error, done: [], warnings: 0 });
    expect(await settleRejected(errorCode, { broken: true })).toEqual({ error, done: [], warnings: 1 });
  },
);
