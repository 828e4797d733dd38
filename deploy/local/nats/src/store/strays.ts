import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MetaLog } from './meta-log.js';

/** Maximum size of an empty segment: file header, and base record with its header. */
const emptySegmentBytes = 25;

/**
 * Deletes the folders of streams that were not fully created or not fully deleted. A folder with messages of a stream
 * that was never deleted is moved to `lost-streams` and reported to `log`, because the configuration of the stream was
 * lost. Other entries, such as files that a file manager created, are ignored.
 */
export async function clearStrays(folder: string, meta: MetaLog, log: (error: Error) => void): Promise<void> {
  for (const entry of await readdir(join(folder, 'streams'), { withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isDirectory() || !/^\d+$/.test(name)) continue;
    const path = join(folder, 'streams', name);
    if (meta.streams.has(Number(name))) continue;
    if (meta.deleted.has(Number(name)) || !(await holdsMessages(path))) await rm(path, { recursive: true });
    else await keepLost(folder, name, log);
  }
  meta.deleted.clear();
}

async function holdsMessages(path: string): Promise<boolean> {
  for (const file of await readdir(path)) if ((await stat(join(path, file))).size > emptySegmentBytes) return true;
  return false;
}

async function keepLost(folder: string, name: string, log: (error: Error) => void): Promise<void> {
  const lost = join(folder, 'lost-streams');
  await mkdir(lost, { recursive: true, mode: 0o700 });
  const kept = await readdir(lost);
  let n = kept.length + 1;
  while (kept.includes(`${name}.${n}`)) n++;
  const keptAt = join(lost, `${name}.${n}`);
  await rename(join(folder, 'streams', name), keptAt);
  log(new Error(`the configuration of stream number ${name} is lost; its messages are kept in ${keptAt}`));
}
