import { describe, expect, test } from '@jest/globals';
import { parseAcknowledgement, parseAckSubject } from './acknowledgement.js';

const parse = (text: string): unknown => parseAcknowledgement(Buffer.from(text));

describe('acknowledgements', () => {
  test.each([
    ['', { kind: 'ack' }],
    ['+ACK', { kind: 'ack' }],
    ['+OK', { kind: 'ack' }],
    ['+WPI', { kind: 'progress' }],
    ['-NAK', { kind: 'nak', delay: undefined }],
    ['-NAK {"delay": 1500000000}', { kind: 'nak', delay: 1_500 }],
    ['-NAK 1m1.5s', { kind: 'nak', delay: 61_500 }],
    ['-NAK nonsense', { kind: 'nak', delay: undefined }],
    ['-NAK {"delay": -1}', { kind: 'nak', delay: undefined }],
    ['-NAK {', { kind: 'nak', delay: undefined }],
    ['+TERM', { kind: 'term', reason: undefined }],
    ['+TERM no such thing', { kind: 'term', reason: 'no such thing' }],
    ['+NXT {"batch":2}', { kind: 'next', request: Buffer.from(' {"batch":2}') }],
    ['+WHAT', undefined],
  ])('%j is parsed as %j', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test('have subjects of 9 tokens, or of 11 or more with domain and account', () => {
    const delivery = { stream: 'S', consumer: 'c', seq: 7 };
    expect(parseAckSubject('$JS.ACK.S.c.1.7.3.1700000000000000000.0')).toEqual(delivery);
    expect(parseAckSubject('$JS.ACK._.hash.S.c.1.7.3.1700000000000000000.0')).toEqual(delivery);
    expect(parseAckSubject('$JS.ACK._.hash.S.c.1.7.3.1700000000000000000.0.random')).toEqual(delivery);
    for (const bad of ['$JS.ACK', '$JS.ACK.S.c.1.x.3.1.0', '$JS.ACK.S.c.1.-7.3.1.0', '$JS.ACK.a.S.c.1.7.3.1.0']) {
      expect(parseAckSubject(bad)).toBeUndefined();
    }
  });
});
