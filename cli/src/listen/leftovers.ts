import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../api/client.js';
import { makeFolder } from '../credentials/file.js';
import { isCliError } from '../errors.js';

/** How long a hook may take to say that it is alive, milliseconds. */
const PROBE_MS = 1_000;
const DELETE_MS = 5_000;

/** A hook for which an endpoint was, or was about to be, made. */
export interface Registration {
  /** The service's address. */
  service: string;
  workspaceId: string;
  hookUrl: string;
}

/**
 * Writes down, before an endpoint is made, that it will be: its URL finds it whatever happens to this process from then
 * on. Answers how to forget it.
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

/** Removes the endpoints that listeners of this machine left in the workspace when they were killed; answers how many. */
export async function removeLeftovers(
  api: Api,
  configDir: string,
  { service, workspaceId }: Omit<Registration, 'hookUrl'>,
): Promise<number> {
  const here = remembered(folderOf(configDir)).filter(
    (one) => one.service === service && one.workspaceId === workspaceId,
  );
  const alive = await Promise.all(here.map(({ hookUrl }) => isAlive(hookUrl)));
  const dead = here.filter((_one, at) => !alive[at]);
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

/** Removes an endpoint; one that is gone already is fine. */
export async function removeEndpoint(api: Api, id: string): Promise<void> {
  try {
    await api.delete('/webhooks/{id}', { path: { id }, timeoutMs: DELETE_MS });
  } catch (error) {
    if (!isCliError(error) || error.failure !== 'notFound') throw error;
  }
}

const folderOf = (configDir: string) => join(configDir, 'listeners');

/** What listeners of this host wrote down; a folder that several hosts share holds others' as well. */
function remembered(folder: string): (Registration & { path: string })[] {
  return filesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    try {
      const one = JSON.parse(readFileSync(path, 'utf8')) as Registration & { host: string };
      return one.host === hostname() ? [{ ...one, path }] : [];
    } catch {
      // Forgotten meanwhile by its listener.
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

/** Whether a listener answers at a hook. One that takes the connection and says nothing is only stopped (Ctrl-Z). */
async function isAlive(hookUrl: string): Promise<boolean> {
  try {
    const { status } = await fetch(hookUrl, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) });
    return status === 204;
  } catch (error) {
    return (error as Error).name === 'TimeoutError';
  }
}
