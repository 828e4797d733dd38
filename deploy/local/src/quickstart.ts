import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Content of `<data>/quickstart.json`, which exists while the stack is ready. */
export interface Quickstart {
  /** URL of the front. */
  baseUrl: string;
  /** An API key of the demo workspace. */
  apiKey: string;
  workspaceId: string;
  /** The demo user, and a URL that signs them in. Absent with an external identity provider. */
  person?: { email: string; password: string; signInUrl: string };
  /** URL of the identity provider, and the client ids of the web application and the CLI. */
  identity: { url: string; clientId: string; deviceClientId: string };
  /**
   * URL and API key of the payment sandbox. Absent with an external payment provider or if DEFAULT_PLAN is not FREE.
   */
  payments?: { url: string; secretKey: string };
  mongodb: { engine: 'embedded' | 'external'; uri: string; pid?: number };
  nats: { engine: 'embedded' | 'external'; url: string; pid?: number };
  services: RunningService[];
}

export interface RunningService {
  /** The name of a service, or gateway, redirect or supervisor. */
  name: string;
  /** Process id. Services can share a process. */
  pid: number;
  /** host:port */
  grpc?: string;
  /** http://host:port */
  http?: string;
  /** http://host:port, serving /metrics, /healthz and /readyz. */
  admin?: string;
  /** Port on 127.0.0.1 that `tautan-admin` calls. */
  operator?: number;
}

const fileOf = (dataDir: string): string => join(dataDir, 'quickstart.json');

/** Reads the quickstart file of a data folder. Returns undefined if no stack is ready there. */
export function readQuickstart(dataDir: string): Quickstart | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Quickstart;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the file atomically. It contains a key, so only its owner can read it. */
export const writeQuickstart = (dataDir: string, quickstart: Quickstart): void =>
  writePrivate(fileOf(dataDir), quickstart);

export const removeQuickstart = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true });

/** Writes a JSON file atomically, readable by its owner only. */
export function writePrivate(path: string, value: unknown): void {
  const next = `${path}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(next, path);
}

/** Returns the process id of a service, `mongodb` or `nats`. Throws if it is not a process of this stack. */
export function pidOf(quickstart: Quickstart, name: string): number {
  const pid =
    name === 'mongodb' || name === 'nats'
      ? quickstart[name].pid
      : quickstart.services.find((service) => service.name === name)?.pid;
  if (pid === undefined) throw new Error(`${name} is not a process of this stack.`);
  return pid;
}
