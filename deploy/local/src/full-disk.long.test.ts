import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { pidOf, readQuickstart, type Quickstart } from './quickstart.js';

const DISK_MIB = 96;
const folder = mkdtempSync(join(tmpdir(), 'tautan-full-disk-'));
const isMounted = mount();
let stack: ChildProcess;
let output = '';

/** Mounts a small file system. Returns false if this is not permitted. */
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const filler = join(folder, 'filler');
function fill(): void {
  for (const bytes of [1 << 20, 4096]) {
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(bytes));
    } catch {
      // Full.
    }
  }
}

beforeEach(() => {
  const { MONGODB_URI: _uri, NATS_URL: _url, ...env } = process.env;
  const main = join(import.meta.dirname, 'bundle', 'main.js');
  const own = { NODE_OPTIONS: '', PORT: '0', DATA_DIR: join(folder, 'data') };
  stack = spawn(process.execPath, [main], { env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'inherit'] });
  stack.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
});
afterEach(async () => {
  rmSync(filler, { force: true });
  stack.kill('SIGTERM');
  if (stack.exitCode === null) await once(stack, 'close');
  if (isMounted) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

const pidsOf = ({ mongodb, nats, services }: Quickstart) => [mongodb.pid, nats.pid, ...services.map(({ pid }) => pid)];

(isMounted ? test : test.skip)(
  'survives a full disk: rejects writes, keeps redirecting, and recovers once space is available',
  async () => {
    const quickstart = await until(() => output.includes('is ready') && readQuickstart(join(folder, 'data')), 30_000);
    const headers = { authorization: `Bearer ${quickstart.apiKey}`, 'content-type': 'application/json' };
    const create = async (slug?: string) => {
      const body = JSON.stringify({ url: 'https://example.com/', slug });
      return (await fetch(`${quickstart.baseUrl}/api/v1/links`, { method: 'POST', headers, body })).status;
    };
    let visits = 0;
    const visit = async () => {
      const init = { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } } as const;
      const { status } = await fetch(`${quickstart.baseUrl}/kept`, init);
      if (status === 302) visits += 1;
      return status;
    };
    const clicks = async () => {
      const response = await fetch(`${quickstart.baseUrl}/api/v1/links/kept`, { headers });
      return ((await response.json()) as { data?: { clickCount: number } }).data?.clickCount;
    };
    expect([await create('kept'), await visit()]).toEqual([201, 302]);

    fill();
    const [redirected, created]: number[][] = [[], []];
    for (let i = 0; i < 40; i += 1) {
      redirected!.push(await visit());
      if (i % 4 === 0) created!.push(await create());
      // Fill the space that logs and spilled clicks release.
      fill();
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(new Set(redirected)).toEqual(new Set([302]));
    expect(created!.at(-1)).toBe(503);
    expect(created!.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    expect(output).toContain('engine: no space left on');

    rmSync(filler);
    await until(async () => (await create()) === 201, 10_000);
    await until(async () => (await clicks()) === visits);
    expect(pidsOf(readQuickstart(join(folder, 'data'))!)).toEqual(pidsOf(quickstart));
    expect(output).not.toContain('restarting');

    fill();
    const before = pidOf(quickstart, 'gateway');
    process.kill(before, 'SIGKILL');
    await until(async () => (await clicks().catch(() => undefined)) === visits);
    rmSync(filler);
    await until(() => pidOf(readQuickstart(join(folder, 'data'))!, 'gateway') !== before, 10_000);
    // Confirms that a restart prints the text that is asserted to be absent above.
    expect(output).toContain('restarting');
  },
  120_000,
);
