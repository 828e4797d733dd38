import { constants } from 'node:fs';
import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

// Only Linux has it among Node's flags: each write then returns when its bytes are on disk, which saves a second call.
const syncedFlag = constants.O_DSYNC as number | undefined;

/** Every file operation of the log that changes the disk, in one place: tests replace them to cut the power at each. */
export const disk = {
  open: (path: string, flags: string): Promise<FileHandle> => open(path, flags, 0o600),

  /** Opens a file that is there for `append`. */
  openToAppend: (path: string, sync: boolean): Promise<FileHandle> =>
    open(path, constants.O_RDWR | (sync ? (syncedFlag ?? 0) : 0)),

  /** Writes as `write` does, through a handle of `openToAppend`; with `sync` the bytes are then on disk. */
  append: async (handle: FileHandle, buffers: Uint8Array[], position: number, sync: boolean): Promise<number> => {
    const bytes = await disk.write(handle, buffers, position);
    if (sync && syncedFlag === undefined) await disk.sync(handle);
    return bytes;
  },

  /** Writes all of `buffers` at `position`; a short write (a full disk) is an error. */
  write: async (handle: FileHandle, buffers: Uint8Array[], position: number): Promise<number> => {
    const wanted = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
    if (wanted === 0) return 0;
    const { bytesWritten } = await handle.writev(buffers, position);
    if (bytesWritten !== wanted) throw new Error(`only ${bytesWritten} of ${wanted} bytes could be written`);
    return wanted;
  },

  sync: (handle: FileHandle): Promise<void> => handle.datasync(),
  truncate: (handle: FileHandle, length: number): Promise<void> => handle.truncate(length),
  rename: (from: string, to: string): Promise<void> => rename(from, to),

  /** Makes creations and renames beside `path` survive a power cut. */
  syncDirectory: async (path: string): Promise<void> => {
    const directory = await open(dirname(path), 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },

  /** Removes a file that may not be there. */
  remove: async (path: string): Promise<void> => {
    await unlink(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  },
};
