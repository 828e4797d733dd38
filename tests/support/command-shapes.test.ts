import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { declaredRules, describeProblems, readShapes, shardingProblems, type ShardingRules } from './command-shapes.js';
import type { CommandShape } from './shape-recorder.js';

const rules = new Map<string, ShardingRules>([
  [
    'links',
    {
      keys: new Map<string, Record<string, 1 | 'hashed'>>([
        ['links', { workspaceId: 1 }],
        ['redirects', { _id: 'hashed' }],
        ['stats_days', { _id: 1 }],
      ]),
      broadcastQueries: { 'links: _id': 'distinguishes FORBIDDEN from NOT_FOUND' },
    },
  ],
]);
const aShape = (shape: Partial<CommandShape>): CommandShape => ({
  app: 'links',
  db: 'tautan_links',
  collection: 'links',
  command: 'find',
  ...shape,
});
const labelsOf = (...shapes: Partial<CommandShape>[]) =>
  shardingProblems(shapes.map(aShape), rules).map(({ label }) => label);

test('commands with the shard key, declared exceptions, and commands on unsharded collections are not reported', () => {
  const ranges = { _id: { $gte: '?', $lt: '?' } };
  expect(
    labelsOf(
      { filter: { workspaceId: '?', tags: '?' } },
      { filter: { $or: [{ workspaceId: '?' }, { workspaceId: { $in: '?' } }] } },
      { collection: 'redirects', filter: { _id: { $in: '?' } } },
      { collection: 'stats_days', filter: ranges },
      { command: 'update', filter: { workspaceId: '?', _id: '?' }, one: true, upsert: true, fields: ['title'] },
      { command: 'update', filter: { workspaceId: { $in: '?' } }, one: false, fields: ['title'] },
      { command: 'insert', fields: ['_id', 'workspaceId'] },
      { command: 'createIndexes', unique: ['workspaceId', 'slug'] },
      { command: 'aggregate', filter: { workspaceId: '?' }, outputs: ['$merge tags'] },
      { collection: 'tags', filter: {} },
      { filter: { _id: '?' } },
      { app: 'qr', filter: {} },
    ),
  ).toEqual([]);
});

test.each<[string, Partial<CommandShape>]>([
  ['links: url', { filter: { url: '?' } }],
  ['links: ', { command: 'aggregate', filter: {} }],
  ['redirects: _id', { collection: 'redirects', filter: { _id: { $gte: '?', $lt: '?' } } }],
  ['links: workspaceId', { command: 'find', filter: { workspaceId: { $ne: '?' } } }],
  ['links: _id (one document)', { command: 'update', filter: { _id: '?' }, one: true }],
  ['links: _id (one document)', { command: 'delete', filter: { _id: '?' }, one: true }],
  ['links: workspaceId (one document)', { command: 'findAndModify', filter: { workspaceId: { $in: '?' } }, one: true }],
  ['links: _id (upsert)', { command: 'update', filter: { _id: '?' }, one: true, upsert: true }],
  [
    'links: changes workspaceId',
    { command: 'update', filter: { workspaceId: '?' }, one: true, fields: ['workspaceId'] },
  ],
  ['links: documents without workspaceId', { command: 'insert', fields: ['_id'] }],
  [
    'links: documents without workspaceId',
    { command: 'update', filter: { workspaceId: '?' }, one: true, fields: ['url'], isReplacement: true },
  ],
  ['links: unique index of slug', { command: 'createIndexes', unique: ['slug'] }],
  ['links: distinct in a transaction', { command: 'distinct', filter: { workspaceId: '?' }, inTransaction: true }],
  ['tags: $merge links', { collection: 'tags', command: 'aggregate', outputs: ['$merge links'] }],
])('a command is reported with the label "%s"', (label, shape) => {
  expect(labelsOf(shape)).toEqual([label]);
});

test('shapes are read from files, and their problems are reported with the service and the command', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-shapes-'));
  const line = JSON.stringify(aShape({ filter: { url: '?' } }));
  await writeFile(join(folder, 'a.jsonl'), `${line}\n${line}\n{"app":"li`);
  await writeFile(join(folder, 'b.jsonl'), `${line}\n`);
  const problems = shardingProblems(await readShapes(folder), rules);
  expect(problems).toHaveLength(1);
  expect(describeProblems(problems)).toContain('  links  links: url\n    {"app":"links"');
  await rm(folder, { recursive: true });
});

test('declaredRules returns the shard keys of all services', () => {
  const declared = declaredRules();
  expect([...declared.keys()].sort()).toEqual(['billing', 'links', 'qr', 'webhooks', 'workspaces']);
  expect(Object.fromEntries([...declared].flatMap(([, { keys }]) => [...keys]))).toEqual({
    links: { workspaceId: 1 },
    redirects: { _id: 'hashed' },
    stats_days: { _id: 1 },
    stats_quarters: { _id: 1 },
    qr_codes: { workspaceId: 1 },
    deliveries: { endpointId: 1 },
    audit: { workspaceId: 1 },
  });
});
