import { expect, test } from '@jest/globals';
import type { Tautan } from '@tautan/sdk';
import { noProgress, problemsCsv, runImport } from './import-run.js';

test('writes problems as CSV, sorted by line, with formulas escaped', () => {
  const problems = [
    { line: 9, field: 'url', message: 'url is "wrong".' },
    { line: 2, field: undefined, message: '=1+1' },
  ];
  expect(problemsCsv(problems)).toBe('line,field,message\r\n2,"","\'=1+1"\r\n9,"url","url is ""wrong""."');
});

test('retries a failed batch with the same idempotency key', async () => {
  const keys: string[] = [];
  const failing = new Set([1]);
  const post = async (_path: string, { idempotencyKey }: { idempotencyKey: string }) => {
    if (failing.delete(keys.push(idempotencyKey) - 1)) throw new Error('The request timed out.');
    return { results: [] };
  };
  const rows = Array.from({ length: 700 }, (_, i) => ({ line: i + 2, item: { url: 'https://example.com' } }));
  let from = noProgress;
  const run = () =>
    runImport({ post } as unknown as Tautan, rows, {
      key: 'run',
      dryRun: false,
      from,
      onProgress: (now) => (from = now),
    });
  await expect(run()).rejects.toThrow('timed out');
  expect(from.done).toBe(500);
  expect((await run()).done).toBe(700);
  expect(keys[2]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(2);
});
