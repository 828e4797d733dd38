import { mkdir, readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { newUlid } from '@tautan/kit';
import { isRunning, thisProcess, type Owner } from './owner.js';

const LOCK = 'lock';
const SEGMENT = '.clicks';
/** Ends the name of a file that is being created. */
const INCOMPLETE = '.next';
/** Ends the name of a file that is kept for inspection, beside the folders of all instances. Nothing removes it. */
const DEFECTIVE = '.defective';
/** An owner that nobody here can ask is taken for dead when its lock was not touched for so long. */
const SILENT_MS = 60_000;

/**
 * The folder of one instance under the common spill folder. Each instance has its own, with a lock that names the
 * process, so that two never write to one file; folders of instances that are no more are adopted with all their files.
 */
export class SpillFolder {
  private constructor(
    private readonly root: string,
    private readonly name: string,
  ) {}

  /** Makes a folder for this instance. Rejects with one plain sentence when that cannot be done. */
  static async claim(root: string): Promise<SpillFolder> {
    const folder = new SpillFolder(root, newUlid());
    try {
      await folder.#make();
      return folder;
    } catch (error) {
      throw new Error(`SPILL_DIR: clicks cannot be kept in ${root} (${(error as NodeJS.ErrnoException).code}).`, { cause: error }); // prettier-ignore
    }
  }

  /** The path for a new segment. Makes the folder anew if somebody took it away. */
  async newSegment(): Promise<string> {
    await this.#make();
    return join(this.path, `${newUlid()}${SEGMENT}`);
  }

  /** Moves a segment out of the folder, to be kept for inspection. Returns its new path. */
  async setAside(path: string): Promise<string> {
    const keptAt = join(this.root, `${basename(path)}${DEFECTIVE}`);
    await rename(path, keptAt);
    return keptAt;
  }

  get path(): string {
    return join(this.root, this.name);
  }

  /** Shows that this instance lives; for those who share the folder but not the machine. Every 15 s or so. */
  async touch(): Promise<void> {
    const now = new Date();
    await utimes(join(this.path, LOCK), now, now);
  }

  /** Takes over the folders of instances that are no more. Answers the paths of their segments, oldest first. */
  async adopt(): Promise<string[]> {
    const names = await readdir(this.root);
    const segments: string[] = [];
    for (const name of names.filter((each) => each !== this.name).sort()) {
      if (await isAbandoned(join(this.root, name))) segments.push(...(await this.#takeOver(name)));
    }
    return segments;
  }

  /** Gives the folder up: removes it when it holds no clicks, else leaves them to whoever comes next. */
  async release(): Promise<void> {
    const left = (await readdir(this.path).catch(() => [])).filter((name) => name.endsWith(SEGMENT));
    if (left.length === 0) return rm(this.path, { recursive: true, force: true });
    await writeFile(join(this.path, LOCK), JSON.stringify(null));
  }

  async #make(): Promise<void> {
    await mkdir(this.path, { recursive: true });
    await writeFile(join(this.path, LOCK), JSON.stringify(thisProcess()));
  }

  /** Renaming the folder decides who gets it when two want it; then its segments move up beside the own ones. */
  async #takeOver(name: string): Promise<string[]> {
    const taken = join(this.path, name);
    try {
      await rename(join(this.root, name), taken);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    return this.#moveUp(taken);
  }

  async #moveUp(taken: string): Promise<string[]> {
    const segments: string[] = [];
    for (const entry of (await readdir(taken, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(taken, entry.name);
      // What a dying instance had just taken over itself.
      if (entry.isDirectory()) segments.push(...(await this.#moveUp(path)));
      else if (entry.name.endsWith(SEGMENT)) {
        const here = join(this.path, entry.name);
        await rename(path, here);
        segments.push(here);
      } else if (entry.name === LOCK || entry.name.endsWith(INCOMPLETE)) await rm(path);
      else await this.setAside(path);
    }
    await rmdir(taken);
    return segments;
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
    // Gone meanwhile, or a file that somebody else put here.
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** The owner in a lock; null: given up; undefined: it cannot be told (just being made, or torn by a crash). */
async function readOwner(path: string): Promise<Owner | null | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner | null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
