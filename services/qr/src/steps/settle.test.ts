import { expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
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
