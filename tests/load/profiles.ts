import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The fields of a .cpuprofile that are used here (Chrome DevTools Protocol, Profiler.Profile). */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  /** The id of the node that each sample hit. */
  samples: number[];
  /** Microseconds between samples. */
  timeDeltas: number[];
}

const TOP = 12;

/**
 * Returns the self time of each package in milliseconds, highest first. `root` is the root folder of the repository.
 */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile, root: string): [name: string, ms: number][] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, packageOf(callFrame, root)]));
  const times = new Map<string, number>();
  samples.forEach((id, i) => {
    const name = names.get(id)!;
    if (name !== '(idle)') times.set(name, (times.get(name) ?? 0) + timeDeltas[i]! / 1_000);
  });
  return [...times].sort(([, a], [, b]) => b - a);
}

/** Formats the packages with the highest self time of every profile in a folder as text. */
export async function topPackages(folder: string, root: string): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).sort();
  const parts = files.map(async (file) => {
    const times = selfTimes(JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile, root);
    const total = times.reduce((sum, [, ms]) => sum + ms, 0);
    const line = ([name, ms]: [string, number]) => `${amount((ms / total) * 100)}%  ${amount(ms / 1_000)} s  ${name}\n`;
    return `${join(folder, file)}\n${times.slice(0, TOP).map(line).join('')}`;
  });
  return (await Promise.all(parts)).join('\n');
}

const amount = (value: number): string => value.toFixed(1).padStart(6);

/**
 * Returns the npm package or workspace folder of a frame, or `node` for Node.js itself. For a frame without a URL,
 * returns the function name if V8 puts that name in parentheses, such as `(garbage collector)`, and `(native)` if not.
 */
function packageOf({ functionName, url }: { functionName: string; url: string }, root: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
  if (url.startsWith('node:')) return 'node';
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (installed) return installed[1]!;
  return relative(root, url.replace(/^file:\/\//, '')).replace(/\/(?:dist|src)\/.*/, '');
}
