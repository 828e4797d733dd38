import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { copyFile, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

// O_DSYNC makes a write return only when its bytes are on disk, which saves a separate sync. Undefined on systems
// without it, such as Windows.
const syncedFlag = constants.O_DSYNC as number | undefined;

/** All disk-modifying operations of the log. Tests replace them to simulate a power loss at each step. */
export const disk = {
  open: (path: string, flags: string): Promise<FileHandle> => open(path, flags, 0o600),

  /** Opens an existing file for appending. `sync`: as in `append`. */
  openToAppend: (path: string, sync: boolean): Promise<FileHandle> =>
    open(path, constants.O_RDWR | (sync ? (syncedFlag ?? 0) : 0)),

  /**
   * Writes through a handle that was opened by `openToAppend` with the same `sync`. If `sync` is true, the bytes
   * are on disk when the promise resolves.
   */
  append: async (handle: FileHandle, buffers: Uint8Array[], position: number, sync: boolean): Promise<number> => {
    const bytes = await disk.write(handle, buffers, position);
    if (sync && syncedFlag === undefined) await disk.sync(handle);
    return bytes;
  },

  /** Writes all of `buffers` at `position`. Rejects with ENOSPC on a short write, which a full disk causes. */
  write: async (handle: FileHandle, buffers: Uint8Array[], position: number): Promise<number> => {
    const wanted = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
    if (wanted === 0) return 0;
    const { bytesWritten } = await handle.writev(buffers, position);
    if (bytesWritten === wanted) return wanted;
    throw Object.assign(new Error(`only ${bytesWritten} of ${wanted} bytes were written`), { code: 'ENOSPC' });
  },

  sync: (handle: FileHandle): Promise<void> => handle.datasync(),
  truncate: (handle: FileHandle, length: number): Promise<void> => handle.truncate(length),
  rename: (from: string, to: string): Promise<void> => rename(from, to),

  /** Syncs the folder of `path`, so that files created and renamed in it survive a power loss. */
  syncDirectory: async (path: string): Promise<void> => {
    const directory = await open(dirname(path), 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },

  /** Like `syncDirectory`, but blocks until it is done. */
  syncDirectorySync: (path: string): void => {
    const directory = openSync(dirname(path), 'r');
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  },

  /** Writes a new file and syncs it. Rejects with EEXIST if the file exists. */
  create: async (path: string, bytes: Uint8Array): Promise<void> => {
    const handle = await disk.open(path, 'wx');
    try {
      await disk.write(handle, [bytes], 0);
      await disk.sync(handle);
    } finally {
      await handle.close();
    }
  },

  /** Copies a file and syncs the copy. Rejects with EEXIST if the copy exists. */
  copy: async (from: string, to: string): Promise<void> => {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const handle = await open(to, 'r+');
    try {
      await handle.datasync();
    } finally {
      await handle.close();
    }
  },

  /** Removes a file if it exists. */
  remove: async (path: string): Promise<void> => {
    await unlink(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  },
};
