import { describe, expect, test } from '@jest/globals';
import { InFlight } from './in-flight.js';

const message = (seq: number, bytes = 1): Parameters<InFlight['add']>[0] => ({
  seq,
  time: 0,
  subject: 's',
  header: undefined,
  payload: Buffer.alloc(bytes),
});

interface Write {
  done: () => void;
  fail: (error: Error) => void;
}

/** Adds three messages. `outcome` lists the results of their promises in the order in which they settle. */
function addThree(): { inFlight: InFlight; writes: Write[]; outcome: string[] } {
  const inFlight = new InFlight();
  const outcome: string[] = [];
  const writes = [1, 2, 3].map((seq) => {
    let write!: Write;
    const written = new Promise<void>((resolve, reject) => (write = { done: resolve, fail: reject }));
    inFlight.add(message(seq), written).then(
      () => outcome.push(`${seq} stored`),
      () => outcome.push(`${seq} failed`),
    );
    return write;
  });
  return { inFlight, writes, outcome };
}

const turn = (): Promise<void> => new Promise(setImmediate);

describe('messages in flight', () => {
  test('are acknowledged in order, regardless of the order of writes', async () => {
    const { inFlight, writes, outcome } = addThree();
    writes[1]!.done();
    writes[2]!.done();
    await turn();
    expect([outcome, inFlight.oldest]).toEqual([[], 1]);
    writes[0]!.done();
    await turn();
    expect([outcome, inFlight.oldest]).toEqual([['1 stored', '2 stored', '3 stored'], undefined]);
  });

  test('do not wait for a failed message', async () => {
    const { inFlight, writes, outcome } = addThree();
    writes[1]!.done();
    writes[0]!.fail(new Error('full'));
    await turn();
    expect(outcome.sort()).toEqual(['1 failed', '2 stored']);
    expect(inFlight.oldest).toBe(3);
  });

  test('stay in memory after they are written, up to a total size', async () => {
    const inFlight = new InFlight();
    for (let seq = 1; seq <= 10; seq++) await inFlight.add(message(seq, 1024 * 1024), Promise.resolve());
    expect(inFlight.get(10)?.seq).toBe(10);
    expect(inFlight.get(6)).toBeUndefined();
  });
});
