import { existsSync } from 'node:fs';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';

// A stamp file names the sources of a build, one per line. Its modification time is the start of the build.

/**
 * Returns whether a build exists and none of its sources has changed since. With `expected`, its sources must be exactly
 * these.
 */
export async function isFresh(stamp, expected) {
  if (!existsSync(stamp)) return false;
  const stamped = await readFile(stamp, 'utf8');
  if (expected && stamped !== expected.join('\n')) return false;
  const builtAt = (await stat(stamp)).mtimeMs;
  const times = await Promise.all(stamped.split('\n').map(modifiedAt));
  return times.every((time) => time < builtAt);
}

const modifiedAt = async (file) => (existsSync(file) ? (await stat(file)).mtimeMs : Infinity);

/** Records the sources of a build that started at `startedAt`. A source that changes later is newer than the stamp. */
export async function writeStamp(stamp, sources, startedAt) {
  await writeFile(stamp, sources.join('\n'));
  await utimes(stamp, startedAt, startedAt);
}
