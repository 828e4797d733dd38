import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process, so that other processes can check whether it is still running. */
export interface Owner {
  /** Machine (current boot) and process id namespace: the scope of `pid`. */
  realm: string;
  pid: number;
  /** Start of the process in clock ticks since boot, to detect reused pids. 0 if unknown. */
  started: number;
}

/** The current process. */
export function thisProcess(): Owner {
  return { realm: realm(), pid: process.pid, started: startOf(process.pid) ?? 0 };
}

/** Returns whether an owner is running; undefined if it belongs to another realm. */
export function isRunning(owner: Owner): boolean | undefined {
  if (owner.realm !== realm()) return undefined;
  if (owner.started === 0) return processExists(owner.pid);
  return startOf(owner.pid) === owner.started;
}

const realm = (): string =>
  [
    hostname(),
    orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ');

/**
 * Returns the start time: field 22 of /proc/<pid>/stat (proc(5)). The name in field 2 may contain spaces and
 * parentheses.
 */
function startOf(pid: number): number | undefined {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isInteger(start) && start > 0 ? start : undefined;
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
