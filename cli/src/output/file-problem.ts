/** Descriptions of file system error codes. */
const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is exceeded',
  EFBIG: 'the file would be too large',
  EIO: 'input/output error',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'part of the path is not a folder',
  EPERM: 'operation not permitted',
  EPIPE: 'its reader has closed it',
  EROFS: 'the file system is read-only',
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** System calls of file operations. A connection error has another `syscall`, or none if `fetch` has wrapped it. */
const fileCalls = new Set(['open', 'fchmod', 'write', 'writev', 'fsync', 'close', 'rename', 'realpath']);

/** Returns whether an error is a failed file operation. */
export const isFileError = (error: unknown): boolean =>
  fileCalls.has((error as NodeJS.ErrnoException | null)?.syscall ?? '');

/** Returns why a file operation failed, for the end of a sentence. */
export const reasonOf = (error: unknown): string => reasons[codeOf(error)] ?? (error as Error).message;
