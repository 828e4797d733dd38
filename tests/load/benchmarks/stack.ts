import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@tautan/kit/testing';
import type { Quickstart } from '../../support/stack.js';
import { root, type Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { processTree, type ProcessFacts } from '../memory.js';
import { median } from '../statistics.js';

const SETTLE_MS = 3_000;

/**
 * Measures `npm start` of a built tree: the time to the first response of the API, and the memory of the idle stack.
 */
export async function stack(bench: Bench): Promise<Figure[]> {
  const starts = [];
  for (let i = 0; i < (bench.quick ? 2 : 3); i += 1) starts.push(await startOnce(bench));
  const processes = starts.at(-1)!.processes;
  const sum = (some: ProcessFacts[], key: 'mb' | 'proportionalMb' = 'mb'): number =>
    some.reduce((total, each) => total + each[key], 0);
  const own = processes.filter(({ command }) => command.includes('/dist/'));
  for (const { mb, command } of own) bench.say(`${Math.round(mb)} MB  ${command}`);
  return [
    {
      label: 'npm start to the first response',
      value: Math.max(...starts.map(({ seconds }) => seconds)),
      unit: 's',
      bound: { atMost: 3 },
      note: `the slowest of ${starts.length}, each with an empty data folder; median ${median(starts.map(({ seconds }) => seconds)).toFixed(2)} s`,
    },
    {
      label: 'idle memory of the whole stack',
      value: sum(own),
      unit: 'MB',
      bound: { atMost: 450 },
      note: `${own.length} processes; npm's own wrapper takes ${Math.round(sum(processes) - sum(own))} MB more`,
    },
    { label: 'idle memory, with shared pages counted once', value: sum(own, 'proportionalMb'), unit: 'MB' },
  ];
}

async function startOnce(bench: Bench): Promise<{ seconds: number; processes: ProcessFacts[] }> {
  const folder = await bench.folder();
  const began = performance.now();
  // Use a separate process group, so that the signal reaches all processes that npm starts, as with Ctrl-C.
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: folder },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGINT');
    const killTimer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 15_000);
    await ended;
    clearTimeout(killTimer);
  };
  bench.atEnd(stop);
  await eventually(() => checkApi(folder), 60_000, 10);
  const seconds = (performance.now() - began) / 1_000;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const processes = processTree(child.pid!);
  await stop();
  return { seconds, processes };
}

async function checkApi(folder: string): Promise<void> {
  const { baseUrl, apiKey } = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as Quickstart;
  const answer = await fetch(`${baseUrl}/api/v1/links`, { headers: { authorization: `Bearer ${apiKey}` } });
  if (answer.status !== 200) throw new Error(`the API responded with ${answer.status}`);
}
