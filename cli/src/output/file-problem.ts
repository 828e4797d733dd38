/** Descriptions of file system error codes. */
const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is exceeded',
  EIO: 'input/output error',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'part of the path is not a folder',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** Returns whether an error is a failed file operation. */
export const isFileError = (error: unknown): boolean => codeOf(error) in reasons;

/** Returns why a file operation failed, for the end of a sentence. */
export const reasonOf = (error: unknown): string => reasons[codeOf(error)] ?? (error as Error).message;
