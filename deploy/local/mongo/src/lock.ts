import { readFileSync } from 'node:fs';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Takes a data folder for this process. Rejects when another living process has it; what a killed one left is taken over.
 * Answers what gives the folder back.
 */
export async function lockFolder(dataDir: string): Promise<() => Promise<void>> {
  const path = join(dataDir, 'engine.lock');
  const own = `${process.pid} ${startOf(process.pid) ?? ''}`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await writeFile(path, own, { flag: 'wx' });
      return () => unlink(path).catch(() => undefined);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = await readFile(path, 'utf8').catch(() => '');
    if (alive(holder)) throw new Error(`the data folder ${dataDir} is in use by process ${holder.split(' ')[0]}`);
    await unlink(path).catch(() => undefined);
  }
  throw new Error(`the data folder ${dataDir} cannot be locked`);
}

/** Folders that this very process has open. */
function alive(holder: string): boolean {
  const [pid, start] = holder.split(' ');
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0) return false;
  try {
    process.kill(number, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // The number may have been given to another process since: then it began at another time.
  const now = startOf(number);
  return now === undefined || start === '' || start === now;
}

/** When a process began, in clock ticks since boot, where the system tells. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
