import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from './webhooks.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const NOW = Date.parse('2030-01-31T12:00:00.000Z');
const id = 'evt_01jd3x8q4v5w6y7z8a9b0c1d2e';
const body = JSON.stringify({ id, type: 'tag.created', data: { name: 'Frühling' } });

const sign = (by = secret, { at = NOW, text = body } = {}) => new Webhook(by).sign(id, new Date(at), text);
const headers = (own: Record<string, string | string[] | undefined> = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(NOW / 1_000),
  'webhook-signature': sign(),
  ...own,
});
const verify = (own = headers(), by: string | string[] = secret, text: string | Uint8Array = body) =>
  verifyWebhook(text, own, by, { now: () => NOW });

describe('accepts', () => {
  test('a payload that the reference implementation signed, and returns its event', async () => {
    const event = await verify();
    expect(event.type === 'tag.created' && event.data.name).toBe('Frühling');
  });

  test.each([
    ['bytes', new TextEncoder().encode(body)],
    ['a Buffer', Buffer.from(body)],
  ])('%s', async (_, bytes) => expect((await verify(headers(), secret, bytes)).id).toBe(id));

  test('a Headers object, and header names in any case', async () => {
    await verifyWebhook(body, new Headers(headers()), secret, { now: () => NOW });
    const upper = Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), value]));
    expect((await verify(upper as never)).id).toBe(id);
  });

  test('ten signatures or two secrets, if one of them matches', async () => {
    await verify(headers({ 'webhook-signature': `${`${sign(otherSecret)} `.repeat(9)}${sign()}` }));
    expect((await verify(headers(), [otherSecret, secret])).id).toBe(id);
  });

  test.each([-299, 299])('a clock that is off by %d s', async (seconds) => {
    const at = NOW + seconds * 1_000;
    const own = headers({ 'webhook-timestamp': String(at / 1_000), 'webhook-signature': sign(secret, { at }) });
    expect((await verify(own)).id).toBe(id);
  });
});

describe('rejects, naming the header,', () => {
  test.each([
    ['a signature of another secret', { 'webhook-signature': sign(otherSecret) }, 'webhook-signature'],
    ['another body', { 'webhook-signature': sign(secret, { text: `${body} ` }) }, 'webhook-signature'],
    ['another id', { 'webhook-id': 'evt_2' }, 'webhook-signature'],
    ['another time', { 'webhook-timestamp': String(NOW / 1_000 + 1) }, 'webhook-signature'],
    ['an unknown version', { 'webhook-signature': sign().replace('v1', 'v2') }, 'webhook-signature'],
    ['a signature that is not base64', { 'webhook-signature': 'v1,!' }, 'webhook-signature'],
    ['an empty signature', { 'webhook-signature': 'v1,' }, 'webhook-signature'],
    ['a missing signature', { 'webhook-signature': undefined }, 'webhook-signature'],
    ['a missing id', { 'webhook-id': '' }, 'webhook-id'],
    ['a repeated id', { 'webhook-id': [id, id] }, 'webhook-id'],
    ['a missing timestamp', { 'webhook-timestamp': undefined }, 'webhook-timestamp'],
    ['a timestamp that is not a number', { 'webhook-timestamp': 'NaN' }, 'webhook-timestamp'],
    [
      'an old timestamp',
      { 'webhook-timestamp': String(NOW / 1_000 - 301), 'webhook-signature': sign(secret, { at: NOW - 301_000 }) },
      'webhook-timestamp',
    ],
    [
      'a timestamp in the future',
      { 'webhook-timestamp': String(NOW / 1_000 + 301), 'webhook-signature': sign(secret, { at: NOW + 301_000 }) },
      'webhook-timestamp',
    ],
  ])('%s', async (_, own, field) => {
    await expect(verify(headers(own))).rejects.toMatchObject({ name: 'TautanError', code: 'INVALID_SIGNATURE', field });
  });
});

test.each(['', 'whsec_', 'whsec_!'])('rejects the secret %j with INVALID_ARGUMENT', async (wrong) => {
  await expect(verify(headers(), wrong)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'secret' });
});
