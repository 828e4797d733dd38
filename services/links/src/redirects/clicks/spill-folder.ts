import { mkdir, readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { newUlid } from '@tautan/kit';
import { isRunning, thisProcess, type Owner } from './owner.js';

const LOCK = 'lock';
const SEGMENT = '.clicks';
/** Suffix of a file that is being created. */
const INCOMPLETE = '.next';
/** Suffix of damaged files, which are kept for inspection beside the folders of the instances and never deleted. */
const DEFECTIVE = '.defective';
/**
 * An owner on another machine or in another process id namespace is considered dead if its lock has not been touched
 * for this long.
 */
const SILENT_MS = 60_000;

/**
 * The folder of an instance within the shared spill folder. Each instance has its own, with a lock that identifies the
 * process, so that two instances never write to the same file. Folders of dead instances are adopted with their files.
 */
export class SpillFolder {
  private constructor(
    private readonly root: string,
    private readonly name: string,
  ) {}

  /** Creates a folder for this instance. Rejects with a one-sentence message if that fails. */
  static async claim(root: string): Promise<SpillFolder> {
    const folder = new SpillFolder(root, newUlid());
    try {
      await folder.#create();
      return folder;
    } catch (error) {
      throw new Error(`SPILL_DIR: cannot write to ${root} (${(error as NodeJS.ErrnoException).code}).`, {
        cause: error,
      });
    }
  }

  /** Returns the path for a new segment. Recreates the folder if it was deleted. */
  async newSegment(): Promise<string> {
    await this.#create();
    return join(this.path, `${newUlid()}${SEGMENT}`);
  }

  /** Moves a damaged segment out of the folder for inspection. Returns its new path. */
  async setAside(path: string): Promise<string> {
    const keptAt = join(this.root, `${basename(path)}${DEFECTIVE}`);
    await rename(path, keptAt);
    return keptAt;
  }

  get path(): string {
    return join(this.root, this.name);
  }

  /**
   * Touches the lock, so that instances on other machines can tell that this one is alive. Call it about every 15 s.
   */
  async touch(): Promise<void> {
    const now = new Date();
    await utimes(join(this.path, LOCK), now, now);
  }

  /**
   * Adopts the folders of dead instances. Calls `onSegment` with the path of each of their segments, the oldest of a
   * folder first. If `adopt` rejects, the next call adopts the remaining segments.
   */
  async adopt(onSegment: (path: string) => void): Promise<void> {
    for (const entry of await readdir(this.path, { withFileTypes: true })) {
      // An earlier call took over this folder, but could not move all segments out of it.
      if (entry.isDirectory()) await this.#moveUp(join(this.path, entry.name), onSegment);
    }
    const names = await readdir(this.root);
    for (const name of names.filter((each) => each !== this.name).sort()) {
      if (await isAbandoned(join(this.root, name))) await this.#takeOver(name, onSegment);
    }
  }

  /** Releases the folder: deletes it if it contains no segments, else leaves it to the next instance. */
  async release(): Promise<void> {
    for (const name of [LOCK, `${LOCK}${INCOMPLETE}`]) await rm(join(this.path, name), { force: true });
    try {
      // Unlike a recursive deletion, this also keeps segments of an adoption that failed or is still running.
      await rmdir(this.path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'ENOTEMPTY') throw error;
      await this.#writeLock(null);
    }
  }

  async #create(): Promise<void> {
    await mkdir(this.path, { recursive: true });
    await this.#writeLock(thisProcess());
  }

  /**
   * Replaces the lock. The lock is complete at all times, because other instances cannot tell whether the owner of a
   * torn lock is dead.
   */
  async #writeLock(owner: Owner | null): Promise<void> {
    const path = join(this.path, LOCK);
    await writeFile(`${path}${INCOMPLETE}`, JSON.stringify(owner));
    await rename(`${path}${INCOMPLETE}`, path);
  }

  /**
   * Adopts a folder. Renaming it decides between competing instances; then its segments are moved to this instance's
   * folder.
   */
  async #takeOver(name: string, onSegment: (path: string) => void): Promise<void> {
    const taken = join(this.path, name);
    try {
      await rename(join(this.root, name), taken);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    await this.#moveUp(taken, onSegment);
  }

  async #moveUp(taken: string, onSegment: (path: string) => void): Promise<void> {
    for (const entry of (await readdir(taken, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(taken, entry.name);
      // A folder that the dead instance had adopted shortly before its crash.
      if (entry.isDirectory()) await this.#moveUp(path, onSegment);
      else if (entry.name.endsWith(SEGMENT)) {
        const here = join(this.path, entry.name);
        await rename(path, here);
        onSegment(here);
      } else if (entry.name === LOCK || entry.name.endsWith(INCOMPLETE)) await rm(path);
      else await this.setAside(path);
    }
    await rmdir(taken);
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(join(folder, LOCK)).catch(() => stat(folder));
    const owner = await readOwner(join(folder, LOCK));
    if (owner === null) return true;
    const running = owner && isRunning(owner);
    return running === undefined ? Date.now() - mtimeMs > SILENT_MS : !running;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The folder was deleted in the meantime, or the path is not a folder.
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** Returns the owner in a lock; null if released; undefined if unknown (being created, or torn by a crash). */
async function readOwner(path: string): Promise<Owner | null | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner | null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
