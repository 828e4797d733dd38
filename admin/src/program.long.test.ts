import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog, createMetrics, fail } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { serveOperators } from '@tautan/kit/operator';
import { rpcTable } from '@tautan/kit/rpc';
import { freePort } from '@tautan/kit/testing';
import { operatorServices } from '@tautan/proto/rpc';
import type { CommandRow } from './command.js';
import { commands } from './program.js';

const log = createLog('test', 'silent');
const idOf = (i: number): string => `ws_${String(1_000 - i).padStart(26, '0')}`;
const workspaceAt = (i: number) => ({
  id: idOf(i),
  name: `Kopi ${i}\u001b[2J`,
  plan: 'FREE',
  createdAt: '2030-01-31T12:00:00.000Z',
  owner: { email: 'ayu@example.com', status: 'invited' },
});
const TOTAL = 450;
/** Page sizes of the requests. */
const pages: number[] = [];
const refused = () => Promise.reject(fail('NOT_FOUND', 'No workspace with this id.'));

let bus: Bus;
let server: Awaited<ReturnType<typeof serveOperators>>;

beforeAll(async () => {
  // No NATS server listens on this port, so this process is the only one in the status.
  bus = new Bus({ url: `nats://127.0.0.1:${await freePort()}`, name: 'test', log });
  const table = rpcTable(operatorServices.workspaces, {
    CreateWorkspace: async (_call, { name, ownerEmail }) => {
      if (ownerEmail === 'ayu') throw fail('VALIDATION_ERROR', 'ownerEmail must be an email address.', 'ownerEmail');
      return { ...workspaceAt(0), name };
    },
    ListWorkspaces: async (_call, { after, limit }) => {
      pages.push(limit);
      const from = after === '' ? 0 : 1_000 - Number(after.slice(3)) + 1;
      const workspaces = Array.from({ length: Math.min(limit, TOTAL - from) }, (_, i) => workspaceAt(from + i));
      return { workspaces, hasMore: from + limit < TOTAL };
    },
    SetPlan: refused,
    MintApiKey: async (_call, { label }) => ({ id: 'key_1', label, key: 'tau_live_secret' }),
    ListApiKeys: async () => ({ apiKeys: [] }),
    RevokeApiKey: refused,
    VerifyAuditLog: async (_call, { workspaceId }) =>
      workspaceId === idOf(3)
        ? { workspaceId, entries: 1, broken: { seq: 2, id: 'aud_2', reason: 'changed' } }
        : { workspaceId, entries: 5 },
  });
  const usage = rpcTable(operatorServices.usage, {
    CheckUsage: async (_call, { workspaceId }) => ({ checked: workspaceId === idOf(1) ? 2 : 0, drifts: [], next: '' }),
  });
  const shards = rpcTable(operatorServices.sharding, {
    ShardCollections: async (_call, { apply }) => ({
      database: 'tautan_links',
      collections: [
        { name: 'links', key: '{"workspaceId":1}', state: apply ? 'sharded' : 'unsharded' },
        { name: 'redirects', key: '{"_id":"hashed"}', state: 'sharded' },
      ],
    }),
  });
  server = await serveOperators({
    port: 0,
    tables: [table, usage, shards],
    bus,
    service: 'workspaces',
    connections: { mongodb: () => true },
    log,
    registry: createMetrics('test'),
  });
});
afterAll(async () => {
  await server.stop();
  await bus.close();
});

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const run = (args: string[], port = server.port): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], OPERATOR_PORT: String(port) };
    const command = join(import.meta.dirname, '..', 'bin', 'tautan-admin.js');
    const child = execFile(process.execPath, [command, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode!, stdout, stderr }),
    );
  });

const rows = commands.flatMap((entry): [string, CommandRow][] =>
  'run' in entry ? [[entry.name, entry]] : entry.commands.map((row) => [`${entry.name} ${row.name}`, row]),
);

describe('the command line', () => {
  test('prints help: the list of all commands, or the options and examples of one command', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    for (const { name } of commands) expect(stdout).toContain(name);
    const explained = await run(['workspaces', 'create', '--help']);
    expect(explained.code).toBe(0);
    expect(explained.stdout).toMatch(/--owner <email>[^]*--json[^]*\$ tautan-admin workspaces create/);
  });

  test('matches the table of commands in the README', () => {
    const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8').replace(/ +/g, ' ');
    for (const [path, { args = [], options = [], quiet, summary }] of rows) {
      const given = args.map((each) => {
        const spelled = each.variadic ? `${each.name()}...` : each.name();
        return each.required ? `<${spelled}>` : `[${spelled}]`;
      });
      const flags = [...options.map((option) => `[${option.flags}]`), ...(quiet ? ['[--quiet]'] : [])];
      expect(readme).toContain(`| \`${[path, ...given, ...flags].join(' ')}\` | ${summary}. |`);
    }
    expect(readme.match(/^\| `[a-z-]+( [a-z-]+)?[^|]*` \| .*\. \|$/gm)).toHaveLength(rows.length);
  });

  test.each([
    [['workspace', 'list'], /unknown command 'workspace'\n\(Did you mean workspaces\?\)/],
    [['workspaces', 'create'], /missing required argument 'name'\nSee: tautan-admin workspaces create --help/],
    [['workspaces', 'create', 'x', '--plan', 'GOLD'], /Allowed choices are FREE, PRO, BUSINESS, UNLIMITED/],
    [['workspaces', 'create', 'x', '--owner', 'ayu'], /^--owner must be an email address\.\n$/],
    [['workspaces', 'list', '--limit', '0'], /It must be an integer/],
  ])('rejects %j with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('results', () => {
  test('are printed as text, JSON, or a single value', async () => {
    const text = await run(['workspaces', 'create', 'Teh', '--owner', 'ayu@example.com']);
    expect(text).toEqual({
      code: 0,
      stderr: '',
      stdout: `id     ${idOf(0)}\nname   Teh\nplan   FREE\nowner  ayu@example.com (invited)\n`,
    });
    const json = await run(['workspaces', 'create', 'Teh', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ id: idOf(0), name: 'Teh', owner: { status: 'invited' } });
    expect(json.stdout).not.toContain('_owner');
    expect((await run(['workspaces', 'create', 'Teh', '--quiet'])).stdout).toBe(`${idOf(0)}\n`);
    expect((await run(['keys', 'create', idOf(0), 'CI', '-q'])).stdout).toBe('tau_live_secret\n');
  });

  test('are paginated, and cannot control the terminal', async () => {
    pages.length = 0;
    const { stdout } = await run(['workspaces', 'list', '--limit', '250']);
    expect(pages).toEqual([200, 50]);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain(`--after ${idOf(249)} to continue the list`);
    const rest = await run(['workspaces', 'list', '--after', idOf(249), '--all', '--json']);
    const { workspaces, hasMore } = JSON.parse(rest.stdout) as { workspaces: { id: string }[]; hasMore: boolean };
    expect([workspaces.length, workspaces[0]!.id, hasMore]).toEqual([200, idOf(250), false]);
  });

  test('cause exit code 1 if a check failed', async () => {
    expect(await run(['audit', 'verify', idOf(1)])).toMatchObject({
      code: 0,
      stdout: `${idOf(1)}  intact, 5 entries\n`,
    });
    const all = await run(['audit', 'verify']);
    expect(all.code).toBe(1);
    expect(all.stdout).toContain(`${idOf(3)}  BROKEN at entry 2 (aud_2): changed`);
    expect(all.stdout.split('\n')).toHaveLength(TOTAL + 1);
  });
});

describe('usage check', () => {
  test('names the given workspaces for which the service has no counters', async () => {
    const { stdout } = await run(['usage', 'check', idOf(1), 'ws_typo']);
    expect(stdout).toMatch(/^2 counters checked, all correct\.\nThis service has no counters for ws_typo:/);
    const { stdout: json } = await run(['usage', 'check', 'ws_typo', '--json']);
    expect(JSON.parse(json)).toMatchObject({ checked: 0, withoutCounters: ['ws_typo'] });
  });

  test('does not report that counters are correct if there are none', async () => {
    for (const ids of [[], ['ws_typo']]) {
      expect((await run(['usage', 'check', ...ids])).stdout).toMatch(/^No counters to check\.\n/);
    }
  });
});

describe('shard', () => {
  test('shows how collections are sharded and exits with 1 if one is not', async () => {
    const { code, stdout } = await run(['shard']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^tautan_links\.links +\{"workspaceId":1\} +unsharded$/m);
    expect(stdout).toContain('tautan-admin shard --apply');
  });

  test('shards collections with --apply', async () => {
    const { code, stdout } = await run(['shard', '--apply', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      database: 'tautan_links',
      collections: [
        { name: 'links', key: { workspaceId: 1 }, state: 'sharded' },
        { name: 'redirects', key: { _id: 'hashed' }, state: 'sharded' },
      ],
    });
  });
});

describe('failures', () => {
  test('say where to run the command if no service responds', async () => {
    const { code, stderr } = await run(['workspaces', 'list'], await freePort());
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /^No operator listener responds on 127\.0\.0\.1:\d+\.\nRun the command in the pod of a service, for example: kubectl exec deploy\/tautan-workspaces -- tautan-admin status\./,
    );
  });

  test('name a workload that serves the command if the service does not', async () => {
    const { code, stderr } = await run(['stats', 'rebuild', '2030-01-31']);
    expect(code).toBe(2);
    expect(stderr).toContain("This is a process of the workspaces service, which does not serve 'stats rebuild'.");
    expect(stderr).toContain('kubectl exec deploy/tautan-stats -- tautan-admin stats rebuild');
  });

  test('have exit codes and are JSON with --json', async () => {
    const { code, stderr } = await run(['workspaces', 'set-plan', idOf(0), 'PRO', '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toEqual({ error: { message: 'No workspace with this id.', code: 'NOT_FOUND' } });
  });
});

describe('a usage error with --json is printed to standard error as one JSON object', () => {
  test.each([
    [['workspace', 'list'], "unknown command 'workspace'"],
    [['workspaces'], 'a command is missing'],
    [['workspaces', 'create'], "missing required argument 'name'"],
    [['workspaces', 'list', '--limit', '0'], expect.stringMatching(/'0' is invalid.*It must be an integer/)],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({ error: { message, hint: 'See: tautan-admin --help' } });
  });
});

describe('status', () => {
  test('shows a lost connection and exits with 1', async () => {
    const { code, stdout } = await run(['status']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/mongodb ok, nats LOST/);
    expect(stdout).toContain('The bus is not connected, so the status of other processes is unknown.');
  });
});
