import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tautan/kit/testing';

/** An identity provider that runs outside the stack, in its own process. */
export interface ExternalIdentity {
  url: string;
  /** Settings of a stack that uses this provider. */
  env: Record<string, string>;
  /** Suspends it with SIGSTOP: connections are established, but requests are never answered. */
  suspend(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Restarts it at the same address with the same data. */
  start(): Promise<void>;
  /** Kills it and deletes its data. */
  remove(): Promise<void>;
}

export async function startExternalIdentity(): Promise<ExternalIdentity> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tautan-identity-'));
  const [port, frontPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const baseUrl = `http://localhost:${frontPort}`;
  const options = {
    port,
    host: '127.0.0.1',
    dataDir,
    issuer: url,
    audience: `${baseUrl}/api/v1`,
    clients: {
      dashboard: { id: 'tautan', redirectUris: [`${baseUrl}/api/v1/auth/callback`], postLogoutUris: [baseUrl] },
      device: { id: 'tautan-cli' },
    },
  };
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = fork(join(import.meta.dirname, 'identity-server.js'), [JSON.stringify(options)], {
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [{ url?: string }];
    if (!first?.url) throw new Error('the identity provider did not start');
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    url,
    env: {
      PORT: String(frontPort),
      IDENTITY_URL: url,
      IDENTITY_CLIENT_ID: 'tautan',
      IDENTITY_DEVICE_CLIENT_ID: 'tautan-cli',
      IDENTITY_SIGNUP_URL: `${url}/api/v1/people`,
      IDENTITY_FORGOT_PASSWORD_URL: `${url}/api/v1/people/forgot-password`,
    },
    suspend: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    start,
    remove: async () => {
      await kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
