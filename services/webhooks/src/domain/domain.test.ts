import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Sealing } from '@tautan/kit';
import { eventCatalog } from '@tautan/proto';
import { readWebhooksConfig } from '../config.js';
import { clickTypes, deliverableTypes, eventTypes } from './event-types.js';
import { retryAfterOf } from './schedule.js';
import { newSecret, openSecrets, rotated, sealSecret } from './secrets.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number): Date => new Date(now.getTime() + ms);

describe('the event catalog', () => {
  test('has a valid example for every deliverable type', () => {
    for (const [type, definition] of Object.entries(eventCatalog)) {
      if (!('webhook' in definition)) continue;
      expect(definition.data.parse(definition.webhook)).toEqual(definition.webhook);
      expect(deliverableTypes.has(type)).toBe(true);
    }
    expect(eventTypes.map(({ type }) => type)).toEqual([...deliverableTypes]);
    expect(clickTypes).toEqual(['link.clicked', 'qr_code.scanned']);
    for (const type of clickTypes) expect(deliverableTypes.has(type)).toBe(true);
  });

  test('excludes audit-only events from webhooks', () => {
    const auditOnly = Object.keys(eventCatalog).filter((type) =>
      /^(workspace|webhook_endpoint|session|api_key)\./.test(type),
    );
    expect(auditOnly.length).toBeGreaterThanOrEqual(9);
    for (const type of auditOnly) expect(deliverableTypes.has(type)).toBe(false);
  });
});

describe('Retry-After', () => {
  test.each([
    [429, '10', 10_000],
    [503, ' 10 ', 10_000],
    [503, '0', 0],
    [503, '99999999999999999999', 24 * 3_600_000],
    [429, 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    [429, 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
    [429, 'Tue, 01 Mar 2039 12:00:00 GMT', 24 * 3_600_000],
    [429, '', null],
    [429, 'soon', null],
    [429, undefined, null],
    [500, '10', null],
    [200, '10', null],
  ])('of a %d with %j is %j ms', (status, header, expected) => {
    expect(retryAfterOf(status, header, now)).toBe(expected);
  });
});

describe('secrets', () => {
  const sealing = new Sealing([randomBytes(32)]);
  const open = (secrets: ReturnType<typeof rotated>, at: Date) => openSecrets(sealing, { _id: 'whe_1', secrets }, at);

  test('sign for 24 hours after they are replaced, and the current one comes first', () => {
    const [a, b, c] = [newSecret(), newSecret(), newSecret()];
    const one = [sealSecret(sealing, 'whe_1', a)];
    const two = rotated(one, sealSecret(sealing, 'whe_1', b), now);
    const three = rotated(two, sealSecret(sealing, 'whe_1', c), later(3_600_000));
    expect(open(two, later(24 * 3_600_000 - 1))).toEqual([b, a]);
    expect(open(two, later(24 * 3_600_000))).toEqual([b]);
    expect(open(three, later(2 * 3_600_000))).toEqual([c, b, a]);
    expect(open(three, later(24.5 * 3_600_000))).toEqual([c, b]);
    expect(rotated(three, sealSecret(sealing, 'whe_1', a), later(48 * 3_600_000))).toHaveLength(2);
    expect(rotated(two, sealSecret(sealing, 'whe_1', c), later(24 * 3_600_000))).toHaveLength(2);
  });

  test('are limited to the newest ten', () => {
    const given = Array.from({ length: 11 }, newSecret);
    let secrets: ReturnType<typeof rotated> = [];
    for (const secret of given) secrets = rotated(secrets, sealSecret(sealing, 'whe_1', secret), now);
    expect(open(secrets, now)).toEqual(given.slice(1).reverse());
  });

  test('cannot be decrypted for another endpoint or without their key', () => {
    const secrets = [sealSecret(sealing, 'whe_2', newSecret())];
    expect(open(secrets, now)).toBeUndefined();
    expect(openSecrets(new Sealing([randomBytes(32)]), { _id: 'whe_2', secrets }, now)).toBeUndefined();
    const own = sealSecret(sealing, 'whe_1', newSecret());
    expect(open([own, ...secrets], now)).toBeUndefined();
  });
});

describe('the settings', () => {
  const given = {
    MONGODB_URI: 'mongodb://x',
    NATS_URL: 'nats://x',
    BIND_HOST: '127.0.0.1',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  };

  test('reject loopback endpoints by default, and default to a timeout of 15 s', () => {
    expect(readWebhooksConfig(given)).toMatchObject({ ALLOW_LOOPBACK_ENDPOINTS: false, ATTEMPT_TIMEOUT_MS: 15_000 });
  });

  test('accept a list of ports, and reject invalid ones', () => {
    expect(readWebhooksConfig(given).ENDPOINT_PORTS).toEqual([80, 443, 8443]);
    expect(readWebhooksConfig({ ...given, ENDPOINT_PORTS: '443, 9443' }).ENDPOINT_PORTS).toEqual([443, 9443]);
    for (const ports of ['https', '0', '65536', '443 80']) {
      expect(() => readWebhooksConfig({ ...given, ENDPOINT_PORTS: ports })).toThrow('ENDPOINT_PORTS');
    }
  });

  test('require encryption keys', () => {
    expect(() => readWebhooksConfig({ ...given, ENCRYPTION_KEYS: '' })).toThrow('ENCRYPTION_KEYS: must be set');
  });
});
