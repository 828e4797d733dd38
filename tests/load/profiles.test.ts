import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { selfTimes, topPackages, type CpuProfile } from './profiles.js';

const frames = [
  ['(idle)', ''],
  ['writeLatin1String', ''],
  ['emit', 'node:events'],
  ['get', '/repo/node_modules/lru-cache/dist/index.js'],
  ['set', '/repo/services/kit/node_modules/@scope/name/index.js'],
  ['record', 'file:///repo/services/links/dist/redirect/recorder.js'],
] as const;

const aProfile: CpuProfile = {
  nodes: frames.map(([functionName, url], id) => ({ id, callFrame: { functionName, url } })),
  samples: [0, 1, 2, 3, 4, 5, 5],
  timeDeltas: [9_000_000, 5_000, 4_000, 3_000, 2_000, 500, 500],
};

test('adds up self time by package, without idle time', () => {
  expect(selfTimes(aProfile, '/repo')).toEqual([
    ['(native)', 5],
    ['node', 4],
    ['lru-cache', 3],
    ['@scope/name', 2],
    ['services/links', 1],
  ]);
});

test('formats the top packages of every profile in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-profiles-'));
  try {
    await writeFile(join(folder, 'a.cpuprofile'), JSON.stringify(aProfile));
    await writeFile(join(folder, 'notes.txt'), '');
    const text = await topPackages(folder, '/repo');
    expect(text).toContain(`${join(folder, 'a.cpuprofile')}\n  33.3%     0.0 s  (native)\n  26.7%     0.0 s  node\n`);
  } finally {
    await rm(folder, { recursive: true });
  }
});
