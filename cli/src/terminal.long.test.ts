import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink } from './testing/records.js';
import { API_KEY, startService, type TestService } from './testing/service.js';
import { tautanAt, type Run, type Tautan } from './testing/tautan.js';

// These tests run on a pseudo-terminal (script(1)), so that the CLI can prompt the user.
let service: TestService;
let tautan: Tautan;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => {
  tautan = tautanAt(service.url);
  service.requests.length = 0;
  service.on('GET /links/*', () => ({ data: aLink({ clickCount: 42 }) }));
  service.on('DELETE /links/*', () => ({ data: { id: aLink().id, deleted: true } }));
});
afterEach(() => tautan.remove());
afterAll(() => service.stop());

/** Runs a command on the terminal, waits for its prompt and types the input. */
async function runAndAnswer(
  args: string,
  prompt: string,
  input: string,
  env: Record<string, string> = { TAUTAN_API_KEY: API_KEY },
): Promise<Run> {
  const running = tautan.terminal(args, env);
  await eventually(() => expect(running.stdout()).toContain(prompt), 20_000);
  running.type(input);
  const run = await running.ended;
  running.type(undefined);
  return run;
}

describe('a deletion', () => {
  const prompt = 'Delete https://go.example/spring (42 clicks)? It stops redirecting immediately. [y/N] ';

  test.each(['y', 'Yes'])('is performed after the answer %s', async (answer) => {
    const { code, stdout } = await runAndAnswer('links delete spring', prompt, `${answer}\r`);
    expect(stdout).toContain('Deleted https://go.example/spring');
    expect(code).toBe(0);
    expect(service.requests.at(-1)!.method).toBe('DELETE');
  });

  test.each(['n\r', '\r', '\u0004'])('is not performed after the answer %j', async (answer) => {
    const { code, stdout } = await runAndAnswer('links delete spring', prompt, answer);
    expect(stdout).toContain('Nothing was changed.');
    expect(code).toBe(1);
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  test('is not performed after Ctrl-C, and the CLI exits with 130', async () => {
    expect((await runAndAnswer('links delete spring', prompt, '\u0003')).code).toBe(130);
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

test('a deletion of links named on standard input requires --yes, because the prompt reads standard input too', async () => {
  const running = tautan.terminal('links bulk delete -', { TAUTAN_API_KEY: API_KEY });
  running.type('spring\r\u0004y\r');
  const { code, stdout } = await running.ended;
  running.type(undefined);
  expect(stdout).toContain('Add --yes to confirm.');
  expect(code).toBe(2);
  expect(service.requests).toEqual([]);
});

test('reads an API key without echoing it', async () => {
  const { code, stdout } = await runAndAnswer('login --api-key -', 'API key: ', `${API_KEY}\r`, {});
  expect(stdout).toContain('with the API key');
  expect(stdout).not.toContain(API_KEY);
  expect(code).toBe(0);
});

test('uses colors on terminals unless they are disabled', async () => {
  const hasColors = async (args: string, env: Record<string, string> = {}) => {
    const running = tautan.terminal(`links get spring ${args}`, { TAUTAN_API_KEY: API_KEY, ...env });
    const { stdout } = await running.ended;
    expect(stdout).toContain('https://go.example/spring');
    return stdout.includes('\u001b[');
  };
  expect(await hasColors('')).toBe(true);
  expect(await hasColors('--no-color')).toBe(false);
  expect(await hasColors('', { NO_COLOR: '1' })).toBe(false);
  expect(await hasColors('', { TERM: 'dumb' })).toBe(false);
});
