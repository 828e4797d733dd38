import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process in MB (2^20 bytes) as Linux counts it; 0 when the process is gone. */
export const residentMb = (pid: number): number => memoryMb(pid, 'VmRSS');

/** The part of a process's resident memory that is not page cache of files, MB; 0 when the process is gone. */
export const anonymousMb = (pid: number): number => memoryMb(pid, 'RssAnon');

function memoryMb(pid: number, kind: 'VmRSS' | 'RssAnon'): number {
  try {
    const [, kilobytes = 0] =
      new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** Processor time that a process took so far, seconds, in steps of 10 ms; 0 when the process is gone. */
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

/** Bytes that a process wrote so far, to files and sockets; 0 when the process is gone. */
export function writtenBytes(pid: number): number {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Samples the resident memory of processes until it is stopped; answers each one's highest value in MB. */
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
  mb: number;
}

/** A process and all its descendants, parents first. */
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
    found.push({ pid, command: commandOf(pid), mb: residentMb(pid) });
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
