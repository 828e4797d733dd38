import { expect, test } from '@jest/globals';
import { createLog, fail, type ErrorCode } from '@tautan/kit';
import { sweepUnfinished } from './sweep-unfinished.js';

const dueAt = new Date('2030-01-01T00:00:00.000Z');
const aCode = (_id: string, state: string) => ({ ...{ _id, state, dueAt }, workspaceId: 'ws_1', logoRunRef: null });

interface Situation {
  /** The QR codes that no process has claimed. */
  codes: ReturnType<typeof aCode>[];
  /** Those of `codes` that another process claims before the sweep does. */
  claimed?: string[];
  /** The codes that another process completes after the sweep has claimed them, so that they cannot be tombstoned. */
  completed?: string[];
  /** The errors with which the link service responds, keyed by QR code id. */
  errors?: Record<string, ErrorCode>;
  /** The unfinished QR codes that other processes have claimed. */
  others?: ReturnType<typeof aCode>[];
}

/** Sweeps QR codes. Returns the result, and what the sweep has done. */
async function sweep({ codes, claimed = [], completed = [], errors = {}, others = [] }: Situation) {
  const steps: string[] = [];
  const warnings: unknown[] = [];
  const qrCodes = {
    unfinished: async () => [...codes, ...others],
    claim: async (code: { _id: string }) => (claimed.includes(code._id) ? null : code),
    tombstone: async ({ _id }: { _id: string }) => {
      steps.push(`tombstone ${_id}`);
      return !completed.includes(_id);
    },
    release: async ({ _id }: { _id: string }) => void steps.push(`release ${_id}`),
    erase: async ({ _id }: { _id: string }) => void steps.push(`erase ${_id}`),
  };
  const deps = {
    store: { qrCodes },
    routes: {
      remove: async (_by: unknown, id: string) => {
        if (errors[id]) throw fail(errors[id], 'test');
      },
    },
    watch: { unclaimed: () => codes },
    usageMutex: { run: (_id: string, work: () => unknown) => work() },
    counters: { release: async () => void steps.push('release usage') },
    transact: (_by: unknown, work: (tx: object) => unknown) => work({}),
    now: () => dueAt,
    leaseMs: 1_000,
    log: { ...createLog('test', 'silent'), warn: ({ id }: { id: string }) => void warnings.push(id) },
  };
  const result = await sweepUnfinished(deps as never);
  return { result, steps, warnings };
}

test('a deletion is completed, and an abandoned creation is undone and no longer counts towards the plan limit', async () => {
  const { result, steps } = await sweep({ codes: [aCode('a', 'deleted'), aCode('b', 'begun')] });
  expect([result, ...steps]).toEqual([true, 'erase a', 'tombstone b', 'release usage', 'erase b']);
});

test('QR codes that another process has claimed or completed stay unchanged', async () => {
  const codes = [aCode('a', 'deleted'), aCode('b', 'begun')];
  expect(await sweep({ codes, claimed: ['a'], completed: ['b'] })).toMatchObject({
    steps: ['tombstone b'],
    warnings: [],
  });
});

test.each<[ErrorCode, string[]]>([
  ['FORBIDDEN', ['release a', 'erase b']],
  ['SERVICE_UNAVAILABLE', ['release a']],
  ['TIMEOUT', ['release a']],
])(
  'a QR code whose deletion fails with %s is released; the sweep continues unless the link service is unavailable',
  async (errorCode, expected) => {
    const codes = [aCode('a', 'deleted'), aCode('b', 'deleted')];
    expect(await sweep({ codes, errors: { a: errorCode } })).toEqual({
      result: true,
      steps: expected,
      warnings: ['a'],
    });
  },
);

test('the result is whether there are unfinished QR codes, including those that other processes have claimed', async () => {
  expect(await sweep({ codes: [] })).toMatchObject({ result: false });
  expect(await sweep({ codes: [], others: [aCode('a', 'live')] })).toEqual({ result: true, steps: [], warnings: [] });
});
