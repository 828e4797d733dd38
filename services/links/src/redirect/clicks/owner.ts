import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, named so that another can tell whether it still runs. */
export interface Owner {
  /** Machine (this boot of it) and process id namespace: where `pid` means something. */
  realm: string;
  pid: number;
  /** Start of the process in clock ticks since boot; a reused pid has another. 0 where it cannot be told. */
  started: number;
}

/** The process that asks. */
export function thisProcess(): Owner {
  return { realm: realm(), pid: process.pid, started: startOf(process.pid) ?? 0 };
}

/** Whether an owner of this realm runs; undefined when it belongs to another realm, so that nobody here can tell. */
export function isRunning(owner: Owner): boolean | undefined {
  if (owner.realm !== realm()) return undefined;
  if (owner.started === 0) return answersSignals(owner.pid);
  return startOf(owner.pid) === owner.started;
}

const realm = (): string =>
  [
    hostname(),
    orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ');

/** Field 22 of /proc/<pid>/stat (proc(5)); the name in field 2 may itself hold blanks and brackets. */
function startOf(pid: number): number | undefined {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isInteger(start) && start > 0 ? start : undefined;
}

function answersSignals(pid: number): boolean {
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
