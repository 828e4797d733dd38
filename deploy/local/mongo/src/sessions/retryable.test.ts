import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { UUID } from 'bson';
import { DirectEngine } from '../engine.test.fixtures.js';
import type { Document } from '../language/values.js';
import { Journal } from '../storage/journal.js';
import {
  DUPLICATE_KEY,
  INVALID_OPTIONS,
  NO_SUCH_TRANSACTION,
  OUT_OF_DISK_SPACE,
  TRANSACTION_COMMITTED,
  TRANSACTION_TOO_OLD,
} from '../error-codes.test.fixtures.js';

let direct: DirectEngine;
beforeEach(async () => {
  direct = await DirectEngine.open(await mkdtemp(join(tmpdir(), 'mongo-test-')));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await direct.close();
  await rm(direct.dataDir, { recursive: true });
});

const session = (): Document => ({ lsid: { id: new UUID() }, txnNumber: 1n });

describe('a retryable write', () => {
  const writes: [string, Document, Document[]][] = [
    [
      'insert',
      {
        insert: 'c',
        documents: [
          { _id: 2, n: 0 },
          { _id: 3, n: 0 },
        ],
      },
      [
        { _id: 1, n: 0 },
        { _id: 2, n: 0 },
        { _id: 3, n: 0 },
      ],
    ],
    [
      'update',
      {
        update: 'c',
        updates: [
          { q: { _id: 1 }, u: { $inc: { n: 1 } } },
          { q: { _id: 9 }, u: { $inc: { n: 5 } }, upsert: true },
        ],
      },
      [
        { _id: 1, n: 1 },
        { _id: 9, n: 5 },
      ],
    ],
    ['delete', { delete: 'c', deletes: [{ q: {}, limit: 1 }] }, []],
    [
      'findAndModify',
      { findAndModify: 'c', query: { _id: 1 }, update: { $inc: { n: 1 } }, new: true },
      [{ _id: 1, n: 1 }],
    ],
  ];

  test.each(writes)(
    '(%s) is executed once, and a retry gets the same reply, even after a restart',
    async (_, command, expected) => {
      await direct.run({ insert: 'c', documents: [{ _id: 1, n: 0 }] });
      const write = { ...command, ...session() };
      const { retriedStmtIds: _none, ...first } = await direct.run(write);
      expect(first['ok']).toBe(1);
      for (const restart of [false, true]) {
        if (restart) direct = await direct.reopen();
        const { retriedStmtIds, retriedStmtId, ...again } = await direct.run(write);
        expect(retriedStmtIds ?? [retriedStmtId]).toEqual(command['findAndModify'] || command['delete'] ? [0] : [0, 1]);
        expect(again).toEqual(first);
        expect(await direct.all('c')).toEqual(expected);
      }
    },
  );

  test('(findAndModify) is executed once if it is retried while it waits for a transaction', async () => {
    await direct.run({ insert: 'c', documents: [{ _id: 1, n: 0 }] });
    const update = { q: { _id: 1 }, u: { $set: { other: true } } };
    const transaction = { ...session(), autocommit: false };
    await direct.run({ update: 'c', updates: [update], ...transaction, startTransaction: true });
    const write = {
      findAndModify: 'c',
      query: { _id: 1 },
      update: { $inc: { n: 1 } },
      new: true,
      ...session(),
    };
    const replies = [direct.run(write), direct.run(write)];
    await direct.run({ abortTransaction: 1, $db: 'admin', ...transaction });
    const [first, again] = await Promise.all(replies);
    expect(first).toMatchObject({ value: { _id: 1, n: 1 }, ok: 1 });
    expect(again).toEqual({ ...first, retriedStmtId: 0 });
    expect(await direct.all('c')).toEqual([{ _id: 1, n: 1 }]);
  });

  test.each(writes)(
    '(%s) is not acknowledged, even by the reply to a retry, before it is durable',
    async (_, command) => {
      await direct.run({ insert: 'c', documents: [{ _id: 1, n: 0 }] });
      const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
      jest.spyOn(Journal.prototype, 'append').mockRejectedValueOnce(full);
      const write = { ...command, ...session() };
      for (const reply of await Promise.all([direct.run(write), direct.run(write)]))
        expect(reply).toMatchObject({ ok: 0, code: OUT_OF_DISK_SPACE });
      expect(await direct.all('c')).toEqual([{ _id: 1, n: 0 }]);
    },
  );

  test('executes, when retried, only the statements that did not succeed before', async () => {
    await direct.run({ insert: 'c', documents: [{ _id: 2 }] });
    const write = { insert: 'c', documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }], ...session() };
    expect(await direct.run(write)).toMatchObject({ n: 1, writeErrors: [{ index: 1, code: DUPLICATE_KEY }] });
    await direct.run({ delete: 'c', deletes: [{ q: { _id: 2 }, limit: 1 }] });
    expect(await direct.run(write)).toMatchObject({ n: 3, retriedStmtIds: [0] });
    expect(await direct.all('c')).toEqual([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
  });

  test('is refused if its txnNumber is below the last one of the session', async () => {
    const { lsid } = session();
    await direct.run({ insert: 'c', documents: [{ _id: 1 }], lsid, txnNumber: 5n });
    expect(await direct.run({ insert: 'c', documents: [{ _id: 2 }], lsid, txnNumber: 4n })).toMatchObject({
      ok: 0,
      code: TRANSACTION_TOO_OLD,
    });
  });

  test('is refused if it may change several documents', async () => {
    const updates = [{ q: {}, u: { $set: { a: 1 } }, multi: true }];
    expect(await direct.run({ update: 'c', updates, ...session() })).toMatchObject({
      writeErrors: [{ code: INVALID_OPTIONS }],
    });
    expect(await direct.run({ delete: 'c', deletes: [{ q: {}, limit: 0 }], ...session() })).toMatchObject({
      writeErrors: [{ code: INVALID_OPTIONS }],
    });
  });
});

describe('a commit', () => {
  test('can be retried, even after a restart, and is not applied again', async () => {
    const { lsid, txnNumber } = session();
    const inTransaction = { lsid, txnNumber, autocommit: false };
    await direct.run({ insert: 'c', documents: [{ _id: 1 }], ...inTransaction, startTransaction: true });
    const commit = { commitTransaction: 1, $db: 'admin', ...inTransaction };
    expect(await direct.run(commit)).toEqual({ ok: 1 });
    expect(await direct.run(commit)).toEqual({ ok: 1 });
    direct = await direct.reopen();
    expect(await direct.run(commit)).toEqual({ ok: 1 });
    expect(await direct.run({ abortTransaction: 1, $db: 'admin', ...inTransaction })).toMatchObject({
      ok: 0,
      code: TRANSACTION_COMMITTED,
    });
    expect(await direct.all('c')).toEqual([{ _id: 1 }]);
  });

  test('of a transaction that a restart aborted fails with NoSuchTransaction and the label TransientTransactionError', async () => {
    const inTransaction = { ...session(), autocommit: false };
    await direct.run({ insert: 'c', documents: [{ _id: 1 }], ...inTransaction, startTransaction: true });
    direct = await direct.reopen();
    const reply = await direct.run({ commitTransaction: 1, $db: 'admin', ...inTransaction });
    expect(reply).toMatchObject({ ok: 0, code: NO_SUCH_TRANSACTION, errorLabels: ['TransientTransactionError'] });
    expect(await direct.all('c')).toEqual([]);
  });
});
