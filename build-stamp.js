import { existsSync } from 'node:fs';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';

// A stamp file names the sources of a build, one per line. Its modification time is the start of the build.

/** Returns the sources that a stamp names; none if there is no stamp. */
export const stampedSources = async (stamp) =>
  existsSync(stamp) ? (await readFile(stamp, 'utf8')).split('\n').filter(Boolean) : [];

/** Returns whether a build has exactly these sources, and none of them has changed since. */
export async function isFresh(stamp, sources) {
  if (sources.length === 0 || (await stampedSources(stamp)).join('\n') !== sources.join('\n')) return false;
  const builtAt = (await stat(stamp)).mtimeMs;
  const times = await Promise.all(sources.map(modifiedAt));
  return times.every((time) => time < builtAt);
}

const modifiedAt = async (file) => (existsSync(file) ? (await stat(file)).mtimeMs : Infinity);

/** Records the sources of a build that started at `startedAt`. A source that changes later is newer than the stamp. */
export async function writeStamp(stamp, sources, startedAt) {
  await writeFile(stamp, sources.join('\n'));
  await utimes(stamp, startedAt, startedAt);
}
