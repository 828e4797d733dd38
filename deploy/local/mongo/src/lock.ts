import { readFileSync } from 'node:fs';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Locks a data folder, unless another running process has. Returns a function that unlocks it. */
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

function alive(holder: string): boolean {
  const [pid, start] = holder.split(' ');
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0) return false;
  try {
    process.kill(number, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // A process with the same id but another start time is not the holder.
  const now = startOf(number);
  return now === undefined || start === '' || start === now;
}

/** Returns the start time of a process in clock ticks since boot, if known. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
