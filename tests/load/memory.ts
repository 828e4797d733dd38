import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the resident set size of a process in MB (2^20 bytes), or 0 if the process has exited. */
export const residentMb = (pid: number): number => memoryMb(pid, 'status', 'VmRSS');

/** Returns the anonymous resident memory (without file pages) of a process in MB, or 0 if the process has exited. */
export const anonymousMb = (pid: number): number => memoryMb(pid, 'status', 'RssAnon');

/**
 * Returns the proportional set size of a process in MB, or 0 if the process has exited. A page that n processes share
 * counts 1/n for each of them.
 */
export const proportionalMb = (pid: number): number => memoryMb(pid, 'smaps_rollup', 'Pss');

function memoryMb(pid: number, file: 'status' | 'smaps_rollup', name: string): number {
  try {
    const [, kilobytes = 0] =
      new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the CPU time of a process in seconds, with a resolution of 10 ms, or 0 if the process has exited. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) / 100;
  } catch {
    return 0;
  }
}

/** Returns the number of bytes that a process has written to files and sockets, or 0 if the process has exited. */
export function writtenBytes(pid: number): number {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Samples the resident memory of processes. Returns a function that stops sampling and returns each peak in MB. */
export function watchMemory(pids: number[], everyMs = 20): () => number[] {
  const highest = pids.map(residentMb);
  const sample = (): void => pids.forEach((pid, i) => (highest[i] = Math.max(highest[i]!, residentMb(pid))));
  const timer = setInterval(sample, everyMs);
  return () => {
    clearInterval(timer);
    sample();
    return highest;
  };
}

export interface ProcessFacts {
  pid: number;
  command: string;
  /** Resident set size in MB. */
  mb: number;
  /** Proportional set size in MB. */
  proportionalMb: number;
}

/** Returns a process and its descendants, parents first. */
export function processTree(root: number): ProcessFacts[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: ProcessFacts[] = [];
  for (const queue = [root]; queue.length;) {
    const pid = queue.shift()!;
    found.push({ pid, command: commandOf(pid), mb: residentMb(pid), proportionalMb: proportionalMb(pid) });
    queue.push(...(children.get(pid) ?? []));
  }
  return found;
}

function parentOf(pid: number): number | undefined {
  try {
    // `pid (name) state parent …`; the name may contain anything.
    return Number(/\) \S (\d+) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean).join(' ');
  } catch {
    return '';
  }
}

setFlagsFromString('--expose-gc');

/** Collects the garbage of this process, for example so that this does not happen during the next measurement. */
export const collectGarbage = runInNewContext('gc') as () => void;
