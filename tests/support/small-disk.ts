import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A folder on its own disk, which a test can fill. */
export interface SmallDisk {
  /** Uses up all free space. */
  fill(): void;
  /** Frees the space that `fill` used. */
  release(): void;
  unmount(): void;
}

/** Mounts a tmpfs of this size at a folder. Throws if the machine does not allow it. */
export function mountSmallDisk(folder: string, mebibytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=700`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    fill: () => {
      for (const bytes of [1 << 20, 4096]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes));
        } catch {
          // Full.
        }
      }
    },
    release: () => rmSync(filler, { force: true }),
    unmount: () => void execFileSync('umount', ['-l', folder]),
  };
}
