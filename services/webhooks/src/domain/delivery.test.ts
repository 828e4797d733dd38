import { describe, expect, test } from '@jest/globals';
import { isId, newId, timeOfId, writeCursor as writeAnyCursor } from '@tautan/kit';
import { readCursor, writeCursor, type DeliveryFilter } from './cursor.js';
import { deliveryIdOf, deliveryNotFound, deliveryOf, withoutBodies } from './delivery.js';
import { DISABLE_AFTER_MS, stateAfter, type Outcome } from './schedule.js';

const now = new Date('2030-06-01T00:00:00.000Z');
const [MINUTE, HOUR] = [60_000, 3_600_000];

describe('a delivery', () => {
  const event = { id: newId('evt'), type: 'link.created', at: now.toISOString(), workspaceId: 'ws_1', data: { a: 1 } };
  const body = { id: event.id, type: event.type, createdAt: event.at, workspaceId: 'ws_1', data: { a: 1 } };

  test('has one id per event and endpoint, with the time of the event', () => {
    const id = deliveryIdOf(event.id, 'whe_1');
    expect(isId(id, 'whd')).toBe(true);
    expect(timeOfId(id)).toEqual(timeOfId(event.id));
    expect(deliveryIdOf(event.id, 'whe_1')).toBe(id);
    expect(deliveryIdOf(event.id, 'whe_2')).not.toBe(id);
    expect(deliveryIdOf(newId('evt', timeOfId(event.id).getTime()), 'whe_1')).not.toBe(id);
  });

  test('of an event is due immediately', () => {
    const { body: text, ...delivery } = deliveryOf(event, { _id: 'whe_1' }, now);
    expect(delivery).toStrictEqual({
      _id: deliveryIdOf(event.id, 'whe_1'),
      workspaceId: 'ws_1',
      endpointId: 'whe_1',
      eventId: event.id,
      type: 'link.created',
      status: 'pending',
      attempts: 0,
      nextAttemptAt: now,
      manual: false,
      attemptLog: [],
      createdAt: now,
      completedAt: null,
    });
    expect(JSON.parse(text)).toEqual(body);
  });

  test('includes the changes and the trace of its event, if any', () => {
    const changes = { title: { before: 'a', after: 'b' } };
    const traced = deliveryOf({ ...event, changes, traceparent: '00-1-2-01' }, { _id: 'whe_1' }, now);
    expect(traced.traceparent).toBe('00-1-2-01');
    expect(JSON.parse(traced.body)).toEqual({ ...body, changes });
    expect(JSON.parse(deliveryOf({ ...event, changes: {} }, { _id: 'whe_1' }, now).body)).toEqual(body);
  });

  test('that does not exist is reported by an error with a code and a message', () =>
    expect(deliveryNotFound()).toMatchObject({ code: 'NOT_FOUND', message: 'No delivery with this id.' }));

  test('without bodies keeps everything else', () => {
    const attempt = { n: 1, at: now, durationMs: 5, statusCode: 500, error: 'HTTP 500' };
    const delivery = deliveryOf(event, { _id: 'whe_1' }, now);
    expect(withoutBodies({ ...delivery, attemptLog: [{ ...attempt, responseSnippet: 'secret' }] })).toEqual({
      ...delivery,
      body: '',
      attemptLog: [{ ...attempt, responseSnippet: null }],
    });
  });
});

describe('an attempt', () => {
  const outcome: Outcome = {
    at: now,
    durationMs: 5,
    statusCode: 503,
    error: 'HTTP 503',
    responseSnippet: 'down',
    retryAfterMs: null,
  };
  const waits = (attempts: number, random: number, retryAfterMs: number | null = null): number => {
    const { nextAttemptAt } = stateAfter({ attempts, manual: false }, { ...outcome, retryAfterMs }, now, random);
    return nextAttemptAt!.getTime() - now.getTime();
  };

  test('that failed leaves the delivery pending until the next one', () => {
    expect(stateAfter({ attempts: 0, manual: false }, outcome, now, 0.5)).toEqual({
      status: 'pending',
      attempts: 1,
      nextAttemptAt: new Date(now.getTime() + 5_000),
      completedAt: null,
      attempt: { n: 1, at: now, durationMs: 5, statusCode: 503, error: 'HTTP 503', responseSnippet: 'down' },
    });
  });

  test('is followed by the next after 5 s, 5 and 30 minutes, and 2, 5, 10 and 10 hours, each ± 10%', () => {
    const delays = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
    expect(delays.map((_, i) => waits(i, 0.5))).toEqual(delays);
    expect(delays.map((_, i) => waits(i, 0))).toEqual(delays.map((delay) => Math.round(delay * 0.9)));
    expect(delays.map((_, i) => waits(i, 1))).toEqual(delays.map((delay) => Math.round(delay * 1.1)));
  });

  test('is followed by the next no earlier than the receiver requested', () => {
    expect([waits(0, 0.5, 60_000), waits(0, 0.5, 1_000)]).toEqual([60_000, 5_000]);
  });

  test.each([
    ['the eighth', { attempts: 7, manual: false }, outcome, 'failed'],
    ['a manual retry', { attempts: 1, manual: true }, outcome, 'failed'],
    ['successful', { attempts: 0, manual: false }, { ...outcome, error: null, statusCode: 200 }, 'succeeded'],
  ])('that is %s is the last', (_which, delivery, result, status) => {
    expect(stateAfter(delivery, result, now, 0.5)).toMatchObject({
      status,
      attempts: delivery.attempts + 1,
      nextAttemptAt: null,
      completedAt: now,
      attempt: { n: delivery.attempts + 1, error: result.error },
    });
  });
});

test('the time after which a failing endpoint is disabled is three days', () =>
  expect(DISABLE_AFTER_MS).toBe(72 * HOUR));

describe('a cursor', () => {
  const filter: DeliveryFilter = { workspaceId: 'ws_1', status: 'failed', endpointId: 'whe_1', type: 'link.created' };
  const invalidCursor = expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'cursor' });

  test('is bound to the workspace and to each filter', () => {
    const id = newId('whd');
    const cursor = writeCursor(filter, id);
    expect(readCursor({ ...filter }, cursor)).toBe(id);
    for (const field of ['status', 'endpointId', 'type']) {
      expect(() => readCursor({ ...filter, [field]: undefined }, cursor)).toThrow(invalidCursor);
    }
    expect(() => readCursor({ ...filter, workspaceId: 'ws_2' }, cursor)).toThrow(invalidCursor);
  });

  test('is rejected unless it contains the id of a delivery', () => {
    const cursor = (text: string) => writeAnyCursor(['ws_1', null, null, null], Buffer.from(text));
    const id = newId('whd');
    expect(readCursor({ workspaceId: 'ws_1' }, cursor(id))).toBe(id);
    expect(() => readCursor({ workspaceId: 'ws_1' }, cursor(newId('evt')))).toThrow(invalidCursor);
  });
});
