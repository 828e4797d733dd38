import { expect, test } from '@jest/globals';
import { readSettings } from './settings.js';

test.each(['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'])('accepts the address %s', (host) => {
  expect(readSettings({ BIND_HOST: host }).BIND_HOST).toBe(host);
});

test.each(['192.168.1.10', '127.0.0.2', 'example.com'])(
  'refuses the address %s, because servers that listen on it are not reachable at localhost',
  (host) => {
    expect(() => readSettings({ BIND_HOST: host })).toThrow(/BIND_HOST: must be one of 127\.0\.0\.1, .* localhost$/);
  },
);
