import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Parser, ProtocolError, type Operation } from './parser.js';

const input = [
  'CONNECT {"verbose":false}\r\n',
  'PUB a.b 5\r\nhello\r\n',
  'pub a.b  back\t0\r\n\r\n',
  'HPUB a back 12 14\r\nNATS/1.0\r\n\r\nhi\r\n',
  'SUB a.> 1\r\nSUB a queue 2\r\n',
  'UNSUB 1\r\nUNSUB 2 5\r\nPING\r\nPONG\n',
].join('');

const expected: Operation[] = [
  { op: 'connect', options: { verbose: false } },
  { op: 'pub', subject: 'a.b', reply: undefined, headerBytes: 0, body: Buffer.from('hello') },
  { op: 'pub', subject: 'a.b', reply: 'back', headerBytes: 0, body: Buffer.alloc(0) },
  { op: 'pub', subject: 'a', reply: 'back', headerBytes: 12, body: Buffer.from('NATS/1.0\r\n\r\nhi') },
  { op: 'sub', subject: 'a.>', queue: undefined, sid: '1' },
  { op: 'sub', subject: 'a', queue: 'queue', sid: '2' },
  { op: 'unsub', sid: '1', max: undefined },
  { op: 'unsub', sid: '2', max: 5 },
  { op: 'ping' },
  { op: 'pong' },
];

function parse(chunks: Buffer[]): Operation[] {
  const operations: Operation[] = [];
  const parser = new Parser(1024, (operation) => operations.push(operation));
  for (const chunk of chunks) parser.feed(chunk);
  return operations;
}

/** Returns the `-ERR` text that an input causes, `closed` for an error without a text, or `accepted`. */
const outcomeOf = (text: string): string => {
  try {
    parse([Buffer.from(text)]);
  } catch (error) {
    if (error instanceof ProtocolError) return error.reply ?? 'closed';
    throw error;
  }
  return 'accepted';
};

describe('the parser', () => {
  test('returns the same operations for every split into chunks', () => {
    const bytes = Buffer.from(input);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        expect(parse(edges.slice(1).map((end, n) => bytes.subarray(edges[n], end)))).toEqual(expected);
      }),
    );
  });

  test('copies the body of a message out of its chunk', () => {
    const chunk = Buffer.from('PUB a 2\r\nhi\r\n');
    const [operation] = parse([chunk]);
    chunk.fill(0);
    expect((operation as Operation & { op: 'pub' }).body.toString()).toBe('hi');
  });

  test.each([
    ['GET / HTTP/1.1\r\n', 'Unknown Protocol Operation'],
    ['PUBLISH a 1\r\n', 'Unknown Protocol Operation'],
    ['PUB a 2\r\nhi!\r\n', 'Unknown Protocol Operation'],
    ['PUB a 1025\r\n', 'Maximum Payload Violation'],
    ['HPUB a 12 1025\r\n', 'Maximum Payload Violation'],
    ['PUB a 1024\r\n', 'accepted'],
    [`SUB ${'x'.repeat(4097)}`, 'Maximum Control Line Exceeded'],
    ['PUB a\r\n', 'closed'],
    ['PUB a b c 1\r\n', 'closed'],
    ['PUB a 99999999999\r\n', 'closed'],
    ['PUB a 0x10\r\n', 'closed'],
    ['HPUB a 5 4\r\n', 'closed'],
    ['SUB a\r\n', 'closed'],
    ['UNSUB\r\n', 'closed'],
    ['CONNECT nonsense\r\n', 'closed'],
    ['\0', 'Unknown Protocol Operation'],
  ])('handles %j with the outcome: %s', (text, outcome) => {
    expect(outcomeOf(text)).toBe(outcome);
  });

  test('throws only protocol errors for random bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200, size: 'max' }),
        (bytes) => void outcomeOf(Buffer.from(bytes).toString('latin1')),
      ),
    );
  });
});
