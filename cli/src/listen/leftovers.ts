import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../api/client.js';
import { makeFolder } from '../credentials/file.js';
import { isCliError } from '../errors.js';

/** Timeout of the liveness check of a listener (ms). */
const PROBE_MS = 1_000;
const DELETE_MS = 5_000;

/**
 * The record of a webhook endpoint that a listener is about to create. `hookUrl`, the endpoint's URL, is that of the
 * listener's local server (`openHook`).
 */
export interface Registration {
  /** Service URL. */
  service: string;
  workspaceId: string;
  hookUrl: string;
}

/**
 * Records an endpoint before it is created, so that a later run can remove the endpoint if this process crashes.
 * Returns a function that deletes the record.
 */
export function remember(configDir: string, registration: Registration): () => void {
  const folder = folderOf(configDir);
  makeFolder(configDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${new URL(registration.hookUrl).pathname.slice(1)}.json`);
  writeFileSync(`${path}.new`, JSON.stringify({ ...registration, host: hostname() }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return () => rmSync(path, { force: true });
}

/**
 * Removes the endpoints of a workspace that were left by earlier listeners on this machine. Returns the number of
 * removed endpoints.
 */
export async function removeLeftovers(
  api: Api,
  configDir: string,
  { service, workspaceId }: Omit<Registration, 'hookUrl'>,
): Promise<number> {
  const records = remembered(folderOf(configDir)).filter(
    (one) => one.service === service && one.workspaceId === workspaceId,
  );
  const alive = await Promise.all(records.map(({ hookUrl }) => isAlive(hookUrl)));
  const dead = records.filter((_one, at) => !alive[at]);
  if (dead.length === 0) return 0;
  const endpoints = await api.get('/webhooks');
  let removed = 0;
  for (const { hookUrl, path } of dead) {
    const endpoint = endpoints.find(({ url }) => url === hookUrl);
    if (endpoint) await removeEndpoint(api, endpoint.id);
    rmSync(path, { force: true });
    if (endpoint) removed++;
  }
  return removed;
}

/** Removes an endpoint. Does nothing if it does not exist. */
export async function removeEndpoint(api: Api, id: string): Promise<void> {
  try {
    await api.delete('/webhooks/{id}', { path: { id }, timeoutMs: DELETE_MS });
  } catch (error) {
    if (!isCliError(error) || error.failure !== 'notFound') throw error;
  }
}

const folderOf = (configDir: string) => join(configDir, 'listeners');

/** Returns the records of this host. The folder may be shared by several hosts. */
function remembered(folder: string): (Registration & { path: string })[] {
  return filesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    try {
      const one = JSON.parse(readFileSync(path, 'utf8')) as Registration & { host: string };
      return one.host === hostname() ? [{ ...one, path }] : [];
    } catch {
      // Deleted concurrently by its listener.
      return [];
    }
  });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Returns whether a listener is alive. One that does not respond in time may be suspended (Ctrl-Z) and counts as
 * alive.
 */
async function isAlive(hookUrl: string): Promise<boolean> {
  try {
    const { status } = await fetch(hookUrl, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) });
    return status === 204;
  } catch (error) {
    return (error as Error).name === 'TimeoutError';
  }
}
