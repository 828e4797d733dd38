import { expect, test } from '@jest/globals';
import { newId, writeCursor as writeAnyCursor } from '@tautan/kit';
import { invoiceStatuses } from '@tautan/proto';
import { readCursor, writeCursor } from './cursor.js';
import { mayFollow } from './invoice.js';
import { checkCurrency, checkPaidPlan, checkPlan, paidPlanNamed, rank } from './plans.js';

const refused = (field: string) => expect.objectContaining({ code: 'VALIDATION_ERROR', field });

test('plans are ranked FREE, PRO, BUSINESS, UNLIMITED, lowest first', () => {
  expect((['FREE', 'PRO', 'BUSINESS', 'UNLIMITED'] as const).map(rank)).toEqual([0, 1, 2, 3]);
});

test('plans and currencies are found by their exact names', () => {
  expect([checkPlan('FREE'), checkPlan('BUSINESS')]).toEqual(['FREE', 'BUSINESS']);
  expect([checkPaidPlan('PRO'), checkPaidPlan('BUSINESS')]).toEqual(['PRO', 'BUSINESS']);
  expect([checkCurrency('IDR'), checkCurrency('USD')]).toEqual(['IDR', 'USD']);
  expect([paidPlanNamed('PRO'), paidPlanNamed('FREE'), paidPlanNamed(undefined)]).toEqual([
    'PRO',
    undefined,
    undefined,
  ]);
  for (const text of ['', 'pro', 'UNLIMITED']) expect(() => checkPlan(text)).toThrow(refused('plan'));
  for (const text of ['', 'pro', 'FREE']) expect(() => checkPaidPlan(text)).toThrow(refused('plan'));
  for (const text of ['', 'usd', 'EUR']) expect(() => checkCurrency(text)).toThrow(refused('currency'));
});

test('the status of an invoice can change only to the same or a later one', () => {
  const allowed = invoiceStatuses.flatMap((next) =>
    invoiceStatuses.filter((status) => mayFollow(next, status)).map((status) => `${status} → ${next}`),
  );
  expect(allowed.toSorted()).toEqual([
    'failed → failed',
    'failed → paid',
    'failed → refunded',
    'paid → paid',
    'paid → refunded',
    'pending → failed',
    'pending → paid',
    'pending → pending',
    'pending → refunded',
    'refunded → refunded',
  ]);
});

test('a cursor of a list of invoices is valid only in the same workspace', () => {
  const position = { date: new Date('2030-01-01T00:00:00.001Z'), id: newId('inv') };
  expect(readCursor('ws_1', writeCursor('ws_1', position))).toEqual(position);
  expect(() => readCursor('ws_2', writeCursor('ws_1', position))).toThrow(refused('cursor'));
});

const ULID = '01jzxv8q4e5r6t7y8w9a0bcdfg';

test.each(['', '1', `1 sub_${ULID}`, `x inv_${ULID}`])('a cursor with the position %j is rejected', (text) => {
  expect(() => readCursor('ws_1', writeAnyCursor('ws_1', Buffer.from(text)))).toThrow(refused('cursor'));
});
