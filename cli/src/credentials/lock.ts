import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../errors.js';
import { shielded } from '../interrupts.js';

/** A lock held for longer than this (ms) is considered abandoned. Work under a lock has a much shorter timeout. */
const STALE_MS = 120_000;
/**
 * An empty lock file of this age (ms) is considered abandoned: its creator writes to it immediately after creating it.
 */
const EMPTY_STALE_MS = 5_000;
const WAIT_MS = 60_000;

interface Holder {
  pid: number;
  host: string;
  /** Time of acquisition, in ms since the epoch. */
  at: number;
  nonce: string;
}

/**
 * Runs `work` while holding the lock file, which excludes other processes. Waits up to a minute to acquire it.
 * Interrupts are deferred until `work` ends. If the holder is dead or has held the lock for too long, exactly one
 * process removes the lock. That process holds a second lock meanwhile.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const nonce = await acquire(path);
  return shielded(async () => {
    try {
      return await work();
    } finally {
      release(path, nonce);
    }
  });
}

async function acquire(path: string): Promise<string> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const nonce = create(path);
    if (nonce) return nonce;
    const stale = staleInstance(path);
    if (stale) await removeInstance(path, stale);
    else await sleep(20 + Math.random() * 40);
    if (Date.now() > deadline)
      throw fail('unavailable', `Another tautan command has been holding ${path} for a minute.`, {
        hint: 'If no other tautan command is running, delete that file.',
      });
  }
}

/** Creates the lock file and returns its nonce, or undefined if another process holds the lock. */
function create(path: string): string | undefined {
  const nonce = randomUUID();
  const holder: Holder = { pid: process.pid, host: hostname(), at: Date.now(), nonce };
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  // If this process was suspended between creating the file and writing to it, another process may have removed the
  // empty file as stale.
  return readHolder(path)?.nonce === nonce ? nonce : undefined;
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/**
 * Returns the id of the current instance of the lock file if it is abandoned: held by a dead process, or held or empty
 * for too long.
 */
function staleInstance(path: string): string | undefined {
  const instance = instanceOf(path);
  if (!instance) return undefined;
  const { holder, ageMs, id } = instance;
  if (!holder) return ageMs > EMPTY_STALE_MS ? id : undefined;
  const dead = holder.host === hostname() && !isAlive(holder.pid);
  return dead || Math.abs(Date.now() - holder.at) > STALE_MS ? id : undefined;
}

function instanceOf(path: string): { holder: Holder | undefined; ageMs: number; id: string } | undefined {
  try {
    const { ino, mtimeMs } = statSync(path);
    const holder = readHolder(path);
    return { holder, ageMs: Date.now() - mtimeMs, id: holder?.nonce ?? `${ino}-${Math.trunc(mtimeMs)}` };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes one instance of a lock file, never a later one that replaced it. */
async function removeInstance(path: string, instance: string): Promise<void> {
  await withLock(`${path}.${instance}`, async () => {
    if (instanceOf(path)?.id === instance) unlinkSync(path);
  });
}

function release(path: string, nonce: string): void {
  if (readHolder(path)?.nonce === nonce) unlinkSync(path);
}
