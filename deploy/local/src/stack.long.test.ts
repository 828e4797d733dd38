import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { closeHttp, listen, newId } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { CookieClient, until } from '@tautan/kit/testing';
import { operatorServices } from '@tautan/proto/rpc';
import { readDemo, writeDemo } from './demo-file.js';
import { pidOf, readQuickstart, type Quickstart } from './quickstart.js';

const main = join(import.meta.dirname, 'bundle', 'main.js');
const root = mkdtempSync(join(tmpdir(), 'tautan-stack-'));
const started: Run[] = [];
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Run {
  child: ChildProcess;
  dataDir: string;
  output(): string;
  errors(): string;
  exit: Promise<number | null>;
}

let paths = 0;
/** Returns a path at which nothing exists yet. */
const newPath = () => join(root, `${(paths += 1)}`);

function run(env: Record<string, string> = {}, dataDir = newPath(), args: string[] = []): Run {
  const inherited = Object.entries(process.env).filter(([name]) => !['MONGODB_URI', 'NATS_URL'].includes(name));
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...Object.fromEntries(inherited), NODE_OPTIONS: '', PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const one = { child, dataDir, output: () => output, errors: () => errors, exit };
  started.push(one);
  return one;
}

async function ready(one: Run): Promise<Quickstart> {
  return until(() => {
    if (one.child.exitCode !== null) throw new Error(`The stack exited: ${one.errors()}`);
    return one.output().includes('is ready') && readQuickstart(one.dataDir);
  }, 30_000);
}

async function end({ child, exit }: Run): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  return exit;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const pidsOf = (quickstart: Quickstart): number[] => [
  ...new Set([quickstart.mongodb.pid!, quickstart.nats.pid!, ...quickstart.services.map(({ pid }) => pid)]),
];
const api = async (quickstart: Quickstart, path: string, body?: object) => {
  const response = await fetch(`${quickstart.baseUrl}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${quickstart.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as { data: { id: string; slug: string } }) };
};

/** Returns the demo user's session from the API after a sign-in at the provider. */
async function session({ identity, person, baseUrl }: Quickstart): Promise<unknown> {
  const form = { client_id: identity.clientId, username: person!.email, password: person!.password };
  const body = new URLSearchParams({ grant_type: 'password', scope: 'openid profile email', ...form });
  const answer = await fetch(`${identity.url}/api/v1/oidc/token`, { method: 'POST', body });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${baseUrl}/api/v1/auth/session`, { headers })).json();
}

describe('a running stack', () => {
  let stack: Run;
  let quickstart: Quickstart;
  beforeAll(async () => {
    stack = run();
    quickstart = await ready(stack);
  });
  afterAll(() => end(stack));

  test('writes quickstart.json with all of its processes', async () => {
    expect(quickstart).toMatchObject({ mongodb: { engine: 'embedded' }, nats: { engine: 'embedded' } });
    expect(quickstart.services.map(({ name }) => name)).toEqual([
      'gateway',
      'redirect',
      'links',
      'workspaces',
      'webhooks',
      'qr',
      'billing',
      'supervisor',
    ]);
    expect(pidOf(quickstart, 'links')).toBe(pidOf(quickstart, 'workspaces'));
    expect(pidsOf(quickstart).every(isAlive)).toBe(true);
    for (const { admin } of quickstart.services) expect((await fetch(`${admin}/readyz`)).status).toBe(200);
    expect(Object.keys(quickstart)).toEqual([
      ...['baseUrl', 'apiKey', 'workspaceId', 'person', 'identity', 'payments'],
      ...['mongodb', 'nats', 'services'],
    ]);
  });

  test('has a demo user who owns the demo workspace', async () => {
    expect(await session(quickstart)).toMatchObject({
      data: {
        user: { email: quickstart.person!.email },
        workspace: { id: quickstart.workspaceId, name: 'Demo', role: 'owner', plan: 'BUSINESS' },
      },
    });
  });

  test('signs the demo user in with one click', async () => {
    const client = new CookieClient();
    const open = (address: string) => client.send(address, { headers: { accept: 'text/html' } });
    const page = await open(quickstart.person!.signInUrl);
    expect([page.status, page.url]).toEqual([200, `${quickstart.baseUrl}/app`]);
    const signedIn = await open(`${quickstart.baseUrl}/api/v1/auth/session`);
    expect(await signedIn.json()).toMatchObject({ data: { user: { email: quickstart.person!.email } } });
  });

  test('creates, follows and reads a link through its front', async () => {
    const created = await api(quickstart, '/links', { url: 'https://example.com/x', slug: 'first' });
    expect(created.status).toBe(201);
    const visit = await fetch(`${quickstart.baseUrl}/first`, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
    });
    expect([visit.status, visit.headers.get('location')]).toEqual([302, 'https://example.com/x']);
    await until(async () => {
      const { data } = (await api(quickstart, '/links/first')) as unknown as { data: { clickCount: number } };
      return data.clickCount === 1;
    });
    expect((await fetch(`${quickstart.baseUrl}/docs`)).status).toBe(200);
  });

  test('serves links on a domain under .localhost without DNS records', async () => {
    const domain = 'toko.localhost';
    const { data: added } = await api(quickstart, '/domains', { domain });
    expect((await api(quickstart, `/domains/${added.id}/verify`, {})).data).toMatchObject({ status: 'verified' });
    const { data: link } = await api(quickstart, '/links', { url: 'https://example.com/sale', slug: 'sale', domain });
    const { port } = new URL(quickstart.baseUrl);
    expect(link).toMatchObject({ shortUrl: `http://${domain}:${port}/sale` });
    const visit = get(`${quickstart.baseUrl}/sale`, { headers: { host: `${domain}:${port}` } });
    const [response] = (await once(visit, 'response')) as [IncomingMessage];
    response.resume();
    expect([response.statusCode, response.headers.location]).toEqual([302, 'https://example.com/sale']);
  });

  test.each(['gateway', 'redirect', 'links', 'nats', 'mongodb'])(
    'restarts %s at the same address after SIGKILL',
    async (name) => {
      const { data: link } = await api(quickstart, '/links', { url: 'https://example.com/kept' });
      const before = readQuickstart(stack.dataDir)!;
      const pid = pidOf(before, name);
      process.kill(pid, 'SIGKILL');
      const after = await until(() => {
        const now = readQuickstart(stack.dataDir)!;
        return (
          pidsOf(now).every((one) => one !== pid && isAlive(one)) &&
          now.services.length === before.services.length &&
          now
        );
      });
      const addresses = ({ services, mongodb, nats }: Quickstart) => [
        services.map((service) => ({ ...service, pid: 0 })),
        mongodb.uri,
        nats.url,
      ];
      expect(addresses(after)).toEqual(addresses(before));
      await until(async () => (await api(quickstart, `/links/${link.id}`)).status === 200);
      await until(
        async () => (await fetch(`${quickstart.baseUrl}/${link.slug}`, { redirect: 'manual' })).status === 302,
      );
      expect((await api(quickstart, '/links', { url: 'https://example.com/new' })).status).toBe(201);
    },
  );

  test('lets visits wait until a killed redirect process has restarted', async () => {
    const { data: link } = await api(quickstart, '/links', { url: 'https://example.com/waited-for' });
    const pid = pidOf(readQuickstart(stack.dataDir)!, 'redirect');
    process.kill(pid, 'SIGKILL');
    // A process that is being killed still accepts connections for a moment, and the front does not resend lost requests.
    await until(() => !isAlive(pid));
    const visits = Array.from({ length: 20 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 50));
      return (await fetch(`${quickstart.baseUrl}/${link.slug}`, { redirect: 'manual' })).status;
    });
    expect(await Promise.all(visits)).toEqual(Array(20).fill(302));
  });

  test.each(['gateway', 'redirect'])(
    'restarts %s when it hangs, and no request waits for more than 15 s',
    async (name) => {
      const { data: link } = await api(quickstart, '/links', { url: 'https://example.com/kept' });
      const pid = pidOf(readQuickstart(stack.dataDir)!, name);
      process.kill(pid, 'SIGSTOP');
      const began = performance.now();
      const [visit, read] = await Promise.all([
        fetch(`${quickstart.baseUrl}/${link.slug}`, { redirect: 'manual' }),
        api(quickstart, `/links/${link.id}`),
      ]);
      expect([visit.status, read.status]).toEqual(name === 'gateway' ? [302, 503] : [503, 200]);
      expect(performance.now() - began).toBeLessThan(15_000);
      await until(async () => (await api(quickstart, `/links/${link.id}`)).status === 200);
      await until(
        async () => (await fetch(`${quickstart.baseUrl}/${link.slug}`, { redirect: 'manual' })).status === 302,
      );
      expect(isAlive(pid)).toBe(false);
    },
  );

  test('causes a second stack with the same data folder or port to exit after printing one sentence', async () => {
    const onFolder = run({}, stack.dataDir);
    expect(await onFolder.exit).toBe(1);
    expect(onFolder.errors()).toBe(`Another Tautan process is already using the data folder ${stack.dataDir}.\n`);
    const { port } = new URL(quickstart.baseUrl);
    const onPort = run({ PORT: port });
    expect(await onPort.exit).toBe(1);
    expect(onPort.errors()).toBe(`Port ${port} on 127.0.0.1 is already in use.\n`);
    expect([onFolder.output(), onPort.output()]).toEqual(['', '']);
    expect(readQuickstart(stack.dataDir)).toBeDefined();
  });

  test('writes its logs as JSON lines', async () => {
    for (const name of ['supervisor', 'gateway', 'services', 'redirect']) {
      const lines = readFileSync(join(stack.dataDir, 'logs', `${name}.log`), 'utf8')
        .trim()
        .split('\n');
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines)
        expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) });
    }
  });
});

describe('a stop', () => {
  afterEach(async () => void (await Promise.all(started.splice(0).map(end))));

  test('by SIGTERM drains, exits with 0 within 10 s and leaves no process running', async () => {
    const stack = run();
    const quickstart = await ready(stack);
    const began = Date.now();
    expect(await end(stack)).toBe(0);
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(pidsOf(quickstart).filter(isAlive)).toEqual([]);
    expect(readQuickstart(stack.dataDir)).toBeUndefined();
  });

  test('by SIGTERM during the start exits with 0', async () => {
    const stack = run();
    await until(() => {
      try {
        return readFileSync(join(stack.dataDir, 'logs', 'supervisor.log'), 'utf8').includes('forked');
      } catch {
        return false;
      }
    });
    expect(await end(stack)).toBe(0);
    expect(stack.errors()).toBe('');
  });

  test('by SIGKILL also stops the child processes; the next start restores the state and the API key', async () => {
    const first = run();
    const quickstart = await ready(first);
    const { data: link } = await api(quickstart, '/links', { url: 'https://example.com/kept', slug: 'kept' });
    first.child.kill('SIGKILL');
    await first.exit;
    const second = run({}, first.dataDir);
    const again = await ready(second);
    const kept = ({ apiKey, person, identity, payments }: Quickstart) => ({
      ...{ apiKey, identity, payments },
      ...{ email: person!.email, password: person!.password },
    });
    expect(kept(again)).toEqual(kept(quickstart));
    expect(await api(again, '/links/kept')).toMatchObject({ status: 200, data: { id: link.id } });
    expect(await session(again)).toMatchObject({ data: { workspace: { id: quickstart.workspaceId } } });
    await until(() => pidsOf(quickstart).filter(isAlive).length === 0);
  }, 90_000);

  test('and the next start replace a revoked API key and keep the workspace', async () => {
    const first = run();
    const quickstart = await ready(first);
    const { operator } = quickstart.services.find(({ name }) => name === 'workspaces')!;
    const client = rpcClient(operatorServices.workspaces, { address: `127.0.0.1:${operator}` });
    const context = { requestId: newId('req') };
    const { apiKeys } = await client.call('ListApiKeys', { workspaceId: quickstart.workspaceId }, context);
    await client.call('RevokeApiKey', { workspaceId: quickstart.workspaceId, id: apiKeys[0]!.id }, context);
    client.close();
    await end(first);
    const again = await ready(run({}, first.dataDir));
    expect(again.workspaceId).toBe(quickstart.workspaceId);
    expect(again.apiKey).not.toBe(quickstart.apiKey);
    expect((await api(again, '/tags')).status).toBe(200);
  }, 90_000);

  test('and the next start create a new demo workspace and owner if the database is empty and the password was changed', async () => {
    const first = run();
    await ready(first);
    await end(first);
    rmSync(join(first.dataDir, 'mongo'), { recursive: true });
    const demo = readDemo(first.dataDir);
    writeDemo(first.dataDir, { ...demo, person: { ...demo.person!, password: 'an earlier password' } });
    const again = await ready(run({}, first.dataDir));
    expect(await session(again)).toMatchObject({ data: { workspace: { id: again.workspaceId, role: 'owner' } } });
  }, 90_000);

  test('by two signals at once drains, as when npm repeats the signal of a terminal', async () => {
    const stack = run();
    const quickstart = await ready(stack);
    stack.child.kill('SIGINT');
    stack.child.kill('SIGTERM');
    expect(await stack.exit).toBe(0);
    expect(pidsOf(quickstart).filter(isAlive)).toEqual([]);
    expect(readQuickstart(stack.dataDir)).toBeUndefined();
  });
});

describe('npm start', () => {
  /**
   * Runs `npm start` in its own process group, sends SIGTERM to `receiver`, and waits until all processes of the stack
   * have exited. Returns the data folder.
   */
  async function stopNpm(env: Record<string, string>, receiver: 'npm' | 'the group'): Promise<string> {
    const dataDir = newPath();
    const repository = join(import.meta.dirname, '..', '..', '..');
    const all = { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: dataDir, ...env };
    const npm = spawn('npm', ['start'], { cwd: repository, env: all, stdio: 'ignore', detached: true });
    const exit = once(npm, 'exit');
    const quickstart = await until(() => readQuickstart(dataDir), 60_000);
    process.kill(receiver === 'npm' ? npm.pid! : -npm.pid!, 'SIGTERM');
    await exit;
    await until(() => ![...pidsOf(quickstart), pidOf(quickstart, 'supervisor')].some(isAlive));
    return dataDir;
  }

  test('drains when npm receives SIGTERM, as from an editor', async () => {
    expect(readQuickstart(await stopNpm({}, 'npm'))).toBeUndefined();
  }, 90_000);

  test.each([
    ['the default shell', {}],
    // bash replaces itself with the command, so the supervisor is a child process of npm.
    ['bash', { npm_config_script_shell: 'bash' }],
  ])(
    'drains when the whole process group receives SIGTERM, as from systemd, with %s',
    async (_name, env) => {
      expect(readQuickstart(await stopNpm(env, 'the group'))).toBeUndefined();
    },
    90_000,
  );
});

/** Returns the ports of the stack's listeners on addresses other than loopback. */
function openPorts(one: Run, quickstart: Quickstart): number[] {
  const pids = new Set([one.child.pid!, ...pidsOf(quickstart)].map((pid) => `pid=${pid},`));
  const lines = execFileSync('ss', ['-ltnpH'], { encoding: 'utf8' }).split('\n');
  const own = lines.filter((line) => [...pids].some((pid) => line.includes(pid))).map((line) => line.split(/\s+/)[3]!);
  expect(own.length).toBeGreaterThan(15);
  const beyond = own.filter((address) => !/^(127\.|\[::1\])/.test(address));
  return beyond.map((address) => Number(address.split(':').at(-1))).sort();
}

test('a stack on all addresses exposes only the front, sign-in and payments, and rejects webhook endpoints on loopback', async () => {
  const one = run({ BIND_HOST: '0.0.0.0' });
  const quickstart = await ready(one);
  const portOf = (url: string): number => Number(new URL(url).port);
  expect(openPorts(one, quickstart)).toEqual(
    [quickstart.baseUrl, quickstart.identity.url, quickstart.payments!.url].map(portOf).sort(),
  );
  const endpoint = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
  expect(await api(quickstart, '/webhooks', endpoint)).toMatchObject({ status: 400 });
  await end(one);
});

test('a stack that switches to local sign-in gets a demo user, and keeps its workspace and key', async () => {
  const payments = { PAYMENT_SECRET_KEY: 'sk_test_x', PAYMENT_WEBHOOK_SECRET: 'whsec_x' };
  const first = run({ IDENTITY_URL: 'http://127.0.0.1:9', IDENTITY_CLIENT_ID: 'elsewhere', ...payments });
  const quickstart = await ready(first);
  expect([quickstart.person, quickstart.payments]).toEqual([undefined, undefined]);
  expect(quickstart.identity).toMatchObject({ url: 'http://127.0.0.1:9', clientId: 'elsewhere' });
  await end(first);
  const second = run({}, first.dataDir);
  const again = await ready(second);
  expect([again.workspaceId, again.apiKey]).toEqual([quickstart.workspaceId, quickstart.apiKey]);
  expect(await session(again)).toMatchObject({ data: { user: { email: again.person!.email } } });
  expect((await fetch(again.payments!.url)).status).toBe(200);
  await end(second);
}, 90_000);

describe('a failed start', () => {
  test.each([
    [
      'a data folder that is a file',
      () => ({ DATA_DIR: file(newPath()) }),
      /^The data folder .+ cannot be used: a file with this name exists\.\n$/,
    ],
    [
      'a data folder below a file',
      () => ({ DATA_DIR: join(file(newPath()), 'x') }),
      /^The data folder .+ cannot be used: part of the path is a file\.\n$/,
    ],
    [
      'a database folder that is a file',
      () => ({ DATA_DIR: withFile('mongo') }),
      /^engine: the data folder .+ cannot be used: .+\.\n$/,
    ],
    ['an invalid port', () => ({ PORT: 'http' }), /^The configuration is invalid:\n {2}PORT: .+\n$/],
    [
      'a setting that a service rejects',
      () => ({ PLAN_PRO: 'many' }),
      /^(gateway|redirect|services): The configuration is invalid: PLAN_PRO: .+\.\n$/,
    ],
  ])('exits with 1 and prints one sentence for %s', async (_cause, env, sentence) => {
    const stack = run(env());
    expect(await stack.exit).toBe(1);
    expect(stack.errors()).toMatch(sentence);
  });

  test('reports a port that is in use', async () => {
    const other = createServer();
    const port = await listen(other, 0, '127.0.0.1');
    const stack = run({ PORT: `${port}` });
    expect(await stack.exit).toBe(1);
    expect(stack.errors()).toBe(`Port ${port} on 127.0.0.1 is already in use.\n`);
    const signIn = run({ IDENTITY_PORT: `${port}` });
    expect(await signIn.exit).toBe(1);
    expect(signIn.errors()).toMatch(
      new RegExp(`^Port ${port} on 127.0.0.1, the sign-in port of this data folder, .+ set IDENTITY_PORT .+\\.\n$`),
    );
    await closeHttp(other, 0);
  });

  test('reports an unknown argument', async () => {
    const one = run({}, newPath(), ['--repare']);
    expect(await one.exit).toBe(1);
    expect(one.errors()).toContain("Unknown option '--repare'");
  });
});

function file(path: string): string {
  writeFileSync(path, '');
  return path;
}

function withFile(name: string): string {
  const folder = newPath();
  mkdirSync(folder);
  file(join(folder, name));
  return folder;
}

describe('corrupt data', () => {
  test.each(['nats/meta.log', 'identity/identity.log'])(
    'in %s prevents the start; --repair keeps a copy of the file and prints what it removed',
    async (name) => {
      const first = run();
      await ready(first);
      await end(first);
      const path = join(first.dataDir, name);
      const bytes = readFileSync(path);
      // Start of the second record: after the file header, and the header and payload of the first record.
      const offset = 8 + 8 + bytes.readUInt32LE(8);
      // The first byte of its payload, after its header.
      bytes[offset + 8]! ^= 4;
      writeFileSync(path, bytes);

      const refused = run({}, first.dataDir);
      expect(await refused.exit).toBe(1);
      expect(refused.errors()).toContain(`${path} is damaged at offset ${offset}, and `);
      expect(readFileSync(path)).toEqual(bytes);

      const repairing = run({}, first.dataDir, ['--repair']);
      await until(() => repairing.output().includes(`${path}: repaired; removed `));
      expect(readFileSync(`${path}.damaged.1`)).toEqual(bytes);
      await end(repairing);
    },
  );
});
