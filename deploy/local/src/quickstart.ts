import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is running and where: `<data>/quickstart.json`, there while the stack is ready. */
export interface Quickstart {
  /** The front. */
  baseUrl: string;
  /** A key of the demo workspace. */
  apiKey: string;
  workspaceId: string;
  /** A user of the local identity provider, and an address that signs them in; absent where another provider is used. */
  person?: { email: string; password: string; signInUrl: string };
  /** Where people sign in, and as what the dashboard and terminals are known there. */
  identity: { url: string; clientId: string; deviceClientId: string };
  /** The payments sandbox, and the key of its API; absent where a provider is named. */
  payments?: { url: string; secretKey: string };
  mongodb: { engine: 'embedded' | 'external'; uri: string; pid?: number };
  nats: { engine: 'embedded' | 'external'; url: string; pid?: number };
  services: RunningService[];
}

export interface RunningService {
  /** gateway, redirect, links, workspaces or supervisor. */
  name: string;
  /** Its process; services can share one. */
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

/** The quickstart file of a data folder, or undefined while nothing is ready there. */
export function readQuickstart(dataDir: string): Quickstart | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Quickstart;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the file whole or not at all; it holds a key, so that only its owner may read it. */
export const writeQuickstart = (dataDir: string, quickstart: Quickstart): void =>
  writePrivate(fileOf(dataDir), quickstart);

export const removeQuickstart = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true });

/** Writes JSON that only its owner may read, by a rename. */
export function writePrivate(path: string, value: unknown): void {
  const next = `${path}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(next, path);
}

/**
 * The process of a part: a service's name, or `mongodb`, `nats`. Throws when it runs elsewhere or not at all.
 */
export function pidOf(quickstart: Quickstart, name: string): number {
  const pid =
    name === 'mongodb' || name === 'nats'
      ? quickstart[name].pid
      : quickstart.services.find((service) => service.name === name)?.pid;
  if (pid === undefined) throw new Error(`${name} is no process of this stack.`);
  return pid;
}
