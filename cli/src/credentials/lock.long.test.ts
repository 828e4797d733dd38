import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';

const fixture = join(import.meta.dirname, 'lock.fixture.js');
const countLines = (text: string, line: string) => text.split('\n').filter((each) => each === line).length;

test('the lock excludes other processes, and is available again after its holder is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tautan-cli-lock-'));
  writeFileSync(join(folder, 'counter'), '0');
  let output = '';
  const start = () => {
    const child = spawn(process.execPath, [fixture, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, closed: new Promise<void>((resolve) => child.once('close', () => resolve())) };
  };
  const processes = Array.from({ length: 5 }, start);
  const kills = 12;
  for (let kill = 0; kill < kills; kill++) {
    const before = countLines(output, 'counted');
    await eventually(() => expect(countLines(output, 'counted')).toBeGreaterThan(before + 5), 20_000);
    await sleep(Math.random() * 5);
    const { child, closed } = processes.shift()!;
    child.kill('SIGKILL');
    await closed;
    processes.push(start());
  }
  // The last killed process may have left its lock file, so wait until other processes have acquired the lock again.
  const before = countLines(output, 'counted');
  await eventually(() => expect(countLines(output, 'counted')).toBeGreaterThan(before + 5), 20_000);
  writeFileSync(join(folder, 'stop'), '');
  await Promise.all(processes.map(({ closed }) => closed));
  const counted = countLines(output, 'counted');
  const counter = Number(readFileSync(join(folder, 'counter'), 'utf8'));
  expect(countLines(output, 'violated')).toBe(0);
  // A killed process may have incremented the counter without reporting it.
  expect(counter).toBeGreaterThanOrEqual(counted);
  expect(counter).toBeLessThanOrEqual(counted + kills);
  expect(existsSync(join(folder, 'lock'))).toBe(false);
  rmSync(folder, { recursive: true });
}, 120_000);
