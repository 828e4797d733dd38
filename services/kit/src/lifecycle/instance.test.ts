import { hostname } from 'node:os';
import { expect, test } from '@jest/globals';
import { instanceOn } from './instance.js';

test('the id of a process is its host and port, or null if the system chooses the port', () => {
  expect(instanceOn(50_051)).toBe(`${hostname()}:50051`);
  expect(instanceOn(0)).toBeNull();
});
