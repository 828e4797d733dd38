import { EventEmitter } from 'node:events';
import type { Server } from '@grpc/grpc-js';
import { afterEach, expect, jest, test } from '@jest/globals';
import { healthService, isServing, serveHealth } from './health.js';

afterEach(() => void jest.useRealTimers());

const [SERVING, NOT_SERVING] = [1, 2];

/** Serves health checks without a network. `watch` returns the statuses that one watcher has received. */
function healthOf(ready: () => boolean) {
  type Handler = (call: unknown, callback?: (error: null, status: number) => void) => void;
  let handlers: Record<string, Handler> = {};
  const addService = (_definition: unknown, added: Record<string, Handler>) => void (handlers = added);
  const health = serveHealth({ addService } as unknown as Server, ready);
  const check = () => {
    let answer = 0;
    handlers['Check']!({}, (_error, status) => (answer = status));
    return answer;
  };
  const watch = () => {
    const statuses: (number | 'end')[] = [];
    const call = Object.assign(new EventEmitter(), {
      write: (status: number) => void statuses.push(status),
      end: () => void statuses.push('end'),
    });
    handlers['Watch']!(call);
    return { statuses, cancel: () => call.emit('cancelled') };
  };
  return { stop: () => health.stop(), check, watch };
}

test('watchers receive the current status, then only changes, until they cancel or the server stops, which sends a final NOT_SERVING', () => {
  jest.useFakeTimers();
  let ready = false;
  const { watch, stop } = healthOf(() => ready);
  const [canceled, other] = [watch(), watch()];
  jest.advanceTimersByTime(3_000);
  ready = true;
  jest.advanceTimersByTime(3_000);
  canceled.cancel();
  ready = false;
  jest.advanceTimersByTime(3_000);
  stop();
  expect(canceled.statuses).toEqual([NOT_SERVING, SERVING]);
  expect(other.statuses).toEqual([NOT_SERVING, SERVING, NOT_SERVING, NOT_SERVING, 'end']);
  expect(jest.getTimerCount()).toBe(0);
});

test('a draining server reports NOT_SERVING, even if `ready` returns true', () => {
  const { check, stop } = healthOf(() => true);
  expect(check()).toBe(SERVING);
  stop();
  expect(check()).toBe(NOT_SERVING);
});

test('only a response with the status SERVING means that a peer is ready', () => {
  const { responseDeserialize } = healthService.Check;
  const responses = [[0x08, SERVING], [0x08, NOT_SERVING], [0x08, 0], []];
  expect(responses.map((bytes) => isServing(responseDeserialize(Buffer.from(bytes))))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
