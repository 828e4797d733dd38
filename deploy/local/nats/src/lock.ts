import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Takes the folder for this process; answers what gives it back. A process that was killed does not keep it: the lock
 * names the process and when that began, so that neither a dead process nor another one with its number holds it.
 * Rejects when a live process has it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock');
  const own = `${process.pid} ${startOf(process.pid) ?? 'unknown'}\n`;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, own, { mode: 0o600 });
  try {
    // A link is made whole or not at all, and only by one.
    while (!(await tryLink(draft, path))) await breakStale(path, folder);
  } finally {
    await rm(draft, { force: true });
  }
  return async () => {
    if ((await readFile(path, 'utf8').catch(() => '')) === own) await unlink(path);
  };
}

async function tryLink(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** Takes a dead process's lock away. Throws when its process lives. */
async function breakStale(path: string, folder: string): Promise<void> {
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) return;
  const [pid, start] = content.trim().split(/ (.*)/s);
  if (isAlive(Number(pid)) && [start, undefined].includes(startOf(Number(pid)))) {
    throw new Error(`the data folder ${folder} is in use by process ${pid}`);
  }
  const stale = `${path}.stale.${process.pid}`;
  await rename(path, stale).catch(() => undefined);
  await rm(stale, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began, in whatever form the system tells; undefined when it does not. */
function startOf(pid: number): string | undefined {
  try {
    // The 22nd field; the second, in parentheses, may hold blanks.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[20];
  } catch {
    try {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    } catch {
      return undefined;
    }
  }
}
