import { expect, test } from '@jest/globals';
import type { Tautan } from '@tautan/sdk';
import { noProgress, problemsCsv, runImport, type Reason } from './import-run.js';

const textOf = (reason: Reason): string => ('message' in reason ? reason.message : reason.check);

test('writes problems as CSV, sorted by line, with formulas escaped', () => {
  const problems = [
    { line: 9, field: 'url', message: 'url is "wrong".' },
    { line: 2, field: undefined, message: '=1+1' },
  ];
  expect(problemsCsv(problems, textOf)).toBe('line,field,message\r\n2,"","\'=1+1"\r\n9,"url","url is ""wrong""."');
});

test('a run that continues after a failed batch sends that batch with the same idempotency key', async () => {
  const keys: string[] = [];
  const failingRequests = new Set([1]);
  const post = async (_path: string, { idempotencyKey }: { idempotencyKey: string }) => {
    if (failingRequests.delete(keys.push(idempotencyKey) - 1)) throw new Error('The request timed out.');
    return { results: [] };
  };
  const rows = Array.from({ length: 700 }, (_, i) => ({ line: i + 2, item: { url: 'https://example.com' } }));
  let from = noProgress;
  const run = () =>
    runImport({ post } as unknown as Tautan, rows, {
      key: 'run',
      dryRun: false,
      from,
      onProgress: (progress) => (from = progress),
    });
  await expect(run()).rejects.toThrow('timed out');
  expect(from.done).toBe(500);
  expect((await run()).done).toBe(700);
  expect(keys[2]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(2);
});

test('a dry run distinguishes the slug of an earlier row in the same request from the slug of an existing link', async () => {
  const error = { code: 'SLUG_TAKEN', message: 'The slug is in use on this domain.', field: 'slug' };
  const api = {
    post: async () => ({ results: [0, 1, 2].map((index) => ({ index, ...(index !== 1 && { error }) })) }),
    get: async () => ({ plan: 'PRO', links: { used: 0, limit: null } }),
  };
  const rows = [2, 3, 4].map((line) => ({ line, item: { url: 'https://example.com', slug: line === 2 ? 'a' : 'b' } }));
  const options = { key: 'run', dryRun: true, from: noProgress, onProgress: () => undefined };
  const { problems } = await runImport(api as unknown as Tautan, rows, options);
  expect(problems).toEqual([
    { line: 2, ...error },
    { line: 4, field: 'slug', check: 'earlierSlug' },
  ]);
});

test('a dry run applies the plan limit and the uniqueness of slugs across requests', async () => {
  const post = async (_path: string, { body }: { body: { links: unknown[] } }) => ({
    results: body.links.map((_, index) => ({
      index,
      ...(index === 1 && { error: { code: 'WRONG', message: 'Wrong.' } }),
    })),
  });
  const get = async () => ({ plan: 'PRO', links: { used: 400, limit: 1_000 } });
  const rows = Array.from({ length: 700 }, (_, i) => ({
    line: i + 2,
    item: { url: 'https://example.com', ...(i === 0 && { slug: 'sale' }), ...(i === 600 && { slug: 'Sale' }) },
  }));
  const api = { post, get } as unknown as Tautan;
  const options = { key: 'run', dryRun: true, onProgress: () => undefined };
  const { accepted, problems } = await runImport(api, rows, { ...options, from: noProgress });
  expect(accepted).toBe(600);
  expect(problems.slice(0, 4)).toEqual([
    { line: 3, field: undefined, code: 'WRONG', message: 'Wrong.' },
    { line: 503, field: undefined, code: 'WRONG', message: 'Wrong.' },
    { line: 602, field: 'slug', check: 'earlierSlug' },
    { line: 605, field: 'links', code: 'PLAN_LIMIT_EXCEEDED', message: '' },
  ]);
  const first = await runImport(api, rows.slice(0, 500), { ...options, from: noProgress });
  expect((await runImport(api, rows, { ...options, from: first })).problems).toEqual(problems);
});
