import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { encodeAccount, encodeOperator, encodeUser, fmtCreds } from '@nats-io/jwt';
import { nkeys, type NKeyAuth } from '@nats-io/transport-node';
import { z } from 'zod';
import { natsSettings, readConfig } from '../config/config.js';
import { createLog } from '../telemetry/log.js';
import { brokerPrograms, createCertificateAuthority, freePort, until } from '../testing/index.js';
import { Bus } from './connection.js';
import { connectionOptions } from './connection-options.js';

const folder = mkdtempSync(join(tmpdir(), 'tautan-nats-options-'));
const write = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const logFile = write('log', '');
const log = createLog('test', 'warn', openSync(logFile, 'a'));
const read = (env: Record<string, string>) =>
  connectionOptions(readConfig(z.object(natsSettings), { NATS_URL: 'nats://127.0.0.1', ...env }), log);

describe('NATS settings', () => {
  test.each([
    [{ NATS_URL: 'nats://a:4222,ws://b' }, 'NATS_URL: must be a nats:// or tls:// address'],
    [{ NATS_URL: 'nats://user:secret@a:4222' }, 'NATS_URL: must not contain credentials'],
    [{ NATS_USER: 'tautan' }, 'NATS_PASSWORD: must be set together with NATS_USER'],
    [{ NATS_USER: 'a', NATS_PASSWORD: 'b', NATS_TOKEN: 'c' }, 'NATS_TOKEN: must not be set together with NATS_USER'],
    [{ NATS_TLS_CERT: import.meta.filename }, 'NATS_TLS_KEY: must be set together with NATS_TLS_CERT'],
    [{ NATS_CREDS_FILE: '/none' }, 'NATS_CREDS_FILE: cannot be read'],
    [{ NATS_CREDS_FILE: import.meta.filename }, 'NATS_CREDS_FILE: holds no usable credentials'],
    [{ NATS_NKEY_FILE: import.meta.filename }, 'NATS_NKEY_FILE: holds no usable credentials'],
  ])('with %p are rejected at startup', (env, problem) => {
    expect(() => read(env)).toThrow(problem);
  });
});

describe('credentials in a file', () => {
  const nkeyFile = (user: ReturnType<typeof nkeys.createUser>) => write('reread.nk', user.getSeed());
  const warnings = () => readFileSync(logFile, 'utf8').match(/the previous credentials stay in use/g) ?? [];

  test('are read again for each connection; while the file is unusable, the previous credentials stay in use', () => {
    const [first, second] = [nkeys.createUser(), nkeys.createUser()];
    writeFileSync(logFile, '');
    const { authenticator } = read({ NATS_NKEY_FILE: nkeyFile(first) });
    const usedKey = () => (authenticator!('nonce') as NKeyAuth).nkey;
    expect(usedKey()).toBe(first.getPublicKey());
    write('reread.nk', 'unusable');
    expect([usedKey(), usedKey()]).toEqual([first.getPublicKey(), first.getPublicKey()]);
    expect(warnings()).toHaveLength(1);
    nkeyFile(second);
    expect(usedKey()).toBe(second.getPublicKey());
    rmSync(join(folder, 'reread.nk'));
    expect(usedKey()).toBe(second.getPublicKey());
    expect(warnings()).toHaveLength(2);
  });
});

/** Starts a server with a configuration file; returns its port and a function that stops it. */
async function startServer(config: string) {
  const port = await freePort();
  const name = `server-${port}`;
  const file = write(
    `${name}.conf`,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${join(folder, name)}" }\n${config}`,
  );
  return { port, stop: spawnServer(file) };
}

/** Runs a server; returns a function that kills it. */
function spawnServer(file: string): () => Promise<void> {
  const child = spawn('nats-server', ['-c', file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  return async () => {
    child.kill('SIGKILL');
    await exited;
  };
}

const hasServer = brokerPrograms.includes('nats-server');
(hasServer ? describe : describe.skip)('the bus connects to a NATS server that requires', () => {
  const buses: Bus[] = [];
  let stop: (() => Promise<void>) | undefined;
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    await stop?.();
    stop = undefined;
  });
  const connect = (env: Record<string, string>): Bus => {
    const bus = new Bus({ ...read(env), name: 'test', log });
    buses.push(bus);
    return bus;
  };
  /**
   * Expects that the right credentials are accepted, and that wrong or missing ones are rejected with a warning that
   * contains no secrets.
   */
  const check = async (config: string, right: Record<string, string>, wrong: Record<string, string>) => {
    const server = await startServer(config);
    stop = server.stop;
    const url = { NATS_URL: `${right['NATS_TLS_CA'] ? 'tls' : 'nats'}://localhost:${server.port}` };
    const bus = connect({ ...right, ...url });
    await until(() => bus.connected);
    await bus.publish('events.test', '{}', { id: 'one' });
    // The server is running, so the warnings from here on are about rejections.
    writeFileSync(logFile, '');
    const withoutCredentials = { NATS_URL: `nats://127.0.0.1:${server.port}` };
    const refused = [connect({ ...wrong, ...url }), connect(withoutCredentials)];
    const logged = await until(() => {
      const text = readFileSync(logFile, 'utf8');
      const warnings = [url, withoutCredentials].map(
        ({ NATS_URL }) => `"url":"${NATS_URL}","msg":"the bus cannot be reached"`,
      );
      return warnings.every((each) => text.includes(each)) && text;
    });
    expect(refused.map((each) => each.connected)).toEqual([false, false]);
    expect(logged).not.toContain('s3cret');
  };

  test('a user and password', async () => {
    const config = 'authorization { users: [{ user: tautan, password: "s3cret" }] }';
    await check(config, { NATS_USER: 'tautan', NATS_PASSWORD: 's3cret' }, { NATS_USER: 'tautan', NATS_PASSWORD: 'x' });
  });

  test('a token', async () => {
    await check('authorization { token: "s3cret" }', { NATS_TOKEN: 's3cret' }, { NATS_TOKEN: 'x' });
  });

  test('an nkey', async () => {
    const [right, wrong] = [nkeys.createUser(), nkeys.createUser()];
    const file = (name: string, user: typeof right) => write(name, `${Buffer.from(user.getSeed()).toString()}\n`);
    const config = `authorization { users: [{ nkey: ${right.getPublicKey()} }] }`;
    await check(config, { NATS_NKEY_FILE: file('right.nk', right) }, { NATS_NKEY_FILE: file('wrong.nk', wrong) });
  });

  test('a JWT and its seed', async () => {
    const operator = nkeys.createOperator();
    const [system, account, stranger] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createAccount()];
    const user = nkeys.createUser();
    const limits = {
      mem_storage: -1,
      disk_storage: -1,
      streams: -1,
      consumer: -1,
      subs: -1,
      conn: -1,
      data: -1,
      payload: -1,
      imports: -1,
      exports: -1,
      wildcards: true,
      leaf: -1,
    };
    const systemJwt = await encodeAccount('SYS', system, {}, { signer: operator });
    const accountJwt = await encodeAccount('TAUTAN', account, { limits }, { signer: operator });
    const operatorJwt = await encodeOperator('test', operator, { system_account: system.getPublicKey() });
    const config = `operator: ${operatorJwt}
resolver: MEMORY
resolver_preload: { ${system.getPublicKey()}: ${systemJwt}, ${account.getPublicKey()}: ${accountJwt} }`;
    const creds = async (name: string, issuer: typeof account) =>
      write(name, fmtCreds(await encodeUser('tautan', user, issuer), user));
    await check(
      config,
      { NATS_CREDS_FILE: await creds('right.creds', account) },
      { NATS_CREDS_FILE: await creds('wrong.creds', stranger) },
    );
  });

  test('a client certificate issued by its CA', async () => {
    const [authority, other] = [createCertificateAuthority(), createCertificateAuthority()];
    const server = authority.issue('nats');
    const settings = (ca: string, { cert, key }: typeof server) => ({
      NATS_TLS_CA: ca,
      NATS_TLS_CERT: cert,
      NATS_TLS_KEY: key,
    });
    const config = `tls { ca_file: "${authority.ca}", cert_file: "${server.cert}", key_file: "${server.key}", verify: true }`;
    await check(
      config,
      settings(authority.ca, authority.issue('tautan')),
      settings(authority.ca, other.issue('tautan')),
    );
  });

  test('TLS, and whose CA must be trusted', async () => {
    const [authority, other] = [createCertificateAuthority(), createCertificateAuthority()];
    const { cert, key } = authority.issue('nats');
    await check(
      `tls { cert_file: "${cert}", key_file: "${key}" }`,
      { NATS_TLS_CA: authority.ca },
      { NATS_TLS_CA: other.ca },
    );
  });

  /**
   * Connects with an nkey from a file, and restarts the server, which then accepts only another nkey. Calls `meanwhile`
   * while the server is stopped.
   */
  async function restartWithOtherUser(name: string, meanwhile = (): void => undefined) {
    const [first, second] = [nkeys.createUser(), nkeys.createUser()];
    const config = (user: typeof first) => `authorization { users: [{ nkey: ${user.getPublicKey()} }] }`;
    const nkeyFile = write(`${name}.nk`, first.getSeed());
    const server = await startServer(config(first));
    stop = server.stop;
    const bus = connect({ NATS_URL: `nats://127.0.0.1:${server.port}`, NATS_NKEY_FILE: nkeyFile });
    await until(() => bus.connected);
    await server.stop();
    meanwhile();
    const newConfig = write(
      `${name}.conf`,
      `listen: "127.0.0.1:${server.port}"\njetstream { store_dir: "${join(folder, name)}" }\n${config(second)}`,
    );
    stop = spawnServer(newConfig);
    return { bus, writeOtherUser: () => write(`${name}.nk`, second.getSeed()) };
  }

  test('new credentials after a restart, once the credentials file contains them', async () => {
    const { bus, writeOtherUser } = await restartWithOtherUser('restarted');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(bus.connected).toBe(false);
    writeOtherUser();
    await until(() => bus.connected);
  });

  test('new credentials after a restart, even if the credentials file was unusable meanwhile', async () => {
    const { bus, writeOtherUser } = await restartWithOtherUser('corrected', () => {
      write('corrected.nk', 'unusable');
      writeFileSync(logFile, '');
    });
    await until(() => readFileSync(logFile, 'utf8').includes('"setting":"NATS_NKEY_FILE"'));
    writeOtherUser();
    await until(() => bus.connected);
  });
});
