import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { auditEntryExample, type AuditEntryRecord } from '@tautan/proto';
import { API_KEY, startService, type TestService } from './testing/service.js';
import { tautanAt, type Running, type Tautan } from './testing/tautan.js';

let service: TestService;
let tautan: Tautan;
/** Oldest first. */
let entries: AuditEntryRecord[];
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => {
  tautan = tautanAt(service.url);
  service.requests.length = 0;
  entries = [];
  service.on('GET /audit-log', ({ query }) => {
    const start = Number(query.get('cursor') ?? 0);
    const limit = Number(query.get('limit'));
    const data = entries.toReversed().slice(start, start + limit);
    const end = start + data.length;
    const hasMore = end < entries.length;
    return { data, page: { limit, hasMore, nextCursor: hasMore ? String(end) : null, total: null } };
  });
});
afterEach(() => tautan.remove());
afterAll(() => service.stop());

const write = (count: number): string[] => {
  const written = Array.from({ length: count }, (_, i) => ({
    ...auditEntryExample,
    id: `aud_${entries.length + i}`,
    createdAt: new Date().toISOString(),
  }));
  entries.push(...written);
  return written.map(({ id }) => id);
};

describe('audit-log --follow', () => {
  const polls = () => service.requests.filter(({ path }) => path === '/audit-log').length;
  const started = async (): Promise<Running> => {
    const running = tautan.start(['audit-log', '--follow', '--json'], { env: { TAUTAN_API_KEY: API_KEY } });
    await eventually(() => expect(polls()).toBeGreaterThan(1), 10_000);
    return running;
  };
  const printed = (running: Running): string[] =>
    running
      .stdout()
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { id: string }).id);

  test('prints every new entry once, oldest first, even if there are more than fit on a page', async () => {
    write(3);
    const running = await started();
    const written = write(450);
    await eventually(() => expect(printed(running)).toEqual(written), 10_000);
    const before = polls();
    await eventually(() => expect(polls()).toBeGreaterThan(before + 1), 10_000);
    expect(printed(running)).toEqual(written);
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });

  test('continues after a failure of the service', async () => {
    const running = await started();
    service.queueResponses('GET /audit-log', {
      status: 500,
      error: { code: 'INTERNAL_ERROR', message: 'Sorry.' },
    });
    await eventually(() => expect(running.stderr()).toContain('Sorry. Retrying.'), 10_000);
    const written = write(1);
    await eventually(() => expect(printed(running)).toEqual(written), 10_000);
    running.kill('SIGINT');
    await running.ended;
  });
});
