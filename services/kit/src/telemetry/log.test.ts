import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLog, droppedLogLines } from './log.js';
import { createMetrics } from './metrics.js';

// A device on which every write fails as on a full disk (full(4)).
const full = '/dev/full';

(existsSync(full) ? test : test.skip)(
  'drops and counts lines that a full disk cannot store, and never throws',
  async () => {
    const log = createLog('test', 'info', openSync(full, 'w'));
    for (let i = 0; i < 2_000; i += 1) log.info({ i }, 'a line of about a hundred bytes');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(droppedLogLines()).toBeGreaterThan(1_000);
    const long = 'x'.repeat(64 * 1_024);
    const before = droppedLogLines();
    for (let i = 0; i < 3; i += 1) log.warn(long);
    expect(droppedLogLines()).toBe(before + 3);
    expect(await createMetrics('test').metrics()).toContain(
      `tautan_log_lines_dropped_total{service="test"} ${droppedLogLines()}`,
    );
  },
);

describe('lines', () => {
  let folder: string;
  let fd: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tautan-log-'));
    fd = openSync(join(folder, 'log'), 'a');
  });
  afterEach(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const written = () =>
    readFileSync(join(folder, 'log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test('are written at the end of a turn of the event loop, in order', async () => {
    const log = createLog('test', 'info', fd);
    log.info('first');
    log.child({ part: 'of it' }).info('second');
    expect(written()).toEqual([]);
    await turn();
    expect(written()).toEqual(['first', 'second']);
    log.info('third');
    await turn();
    expect(written()).toEqual(['first', 'second', 'third']);
  });

  test('are JSON with the level, the time, the service, the error and the message', () => {
    createLog('test', 'info', fd).warn({ err: new TypeError('broken') }, 'a warning');
    const line: unknown = JSON.parse(readFileSync(join(folder, 'log'), 'utf8'));
    expect(line).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'test',
      err: expect.objectContaining({ type: 'TypeError', message: 'broken' }),
      msg: 'a warning',
    });
  });

  test('before a warning are written with it immediately', () => {
    const log = createLog('test', 'info', fd);
    log.info('before');
    log.warn('a warning');
    log.info('after');
    expect(written()).toEqual(['before', 'a warning']);
  });

  test('do not contain the arguments of a Redis command that failed', () => {
    const command = { name: 'hello', args: ['3', 'AUTH', 'tautan', 'a-password'] };
    const log = createLog('test', 'info', fd);
    log.warn({ err: Object.assign(new Error('WRONGPASS invalid password'), { command }) }, 'a login was refused');
    log.warn({ err: Object.assign(new Error('refused'), { command: 'RCPT TO' }) }, 'an email was refused');
    const text = readFileSync(join(folder, 'log'), 'utf8');
    expect(text).not.toMatch(/a-password|args/);
    for (const part of ['WRONGPASS', '"name":"hello"', '"command":"RCPT TO"']) expect(text).toContain(part);
    expect(command.args).toHaveLength(4);
  });

  test('that together exceed 8,192 characters are written before the end of the turn', () => {
    const log = createLog('test', 'info', fd);
    for (let i = 0; i < 10; i += 1) log.info('x'.repeat(1_000));
    expect(written().length).toBeGreaterThan(5);
  });

  test('of the last turn are written when the process exits', () => {
    const module = JSON.stringify(join(import.meta.dirname, 'log.js'));
    const script = `const { createLog } = await import(${module}); createLog('test').info('last words'); process.exit(0)`;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toContain(
      'last words',
    );
  });
});
