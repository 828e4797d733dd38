/** A part of a file. */
export interface Range {
  offset: number;
  bytes: number;
}

/** The parts of a log's file that were removed when the log was opened. */
export interface Loss {
  path: string;
  /** The removed parts, by offset in the original file. */
  ranges: Range[];
  /** Path of the copy of the removed bytes or, after a repair, of the original file. Undefined if there is no copy. */
  copiedTo: string | undefined;
  /** A one-sentence description for the log of the process. */
  message: string;
}

/** Thrown if a log is damaged and complete records follow the damage. The file is unchanged. */
export class DamagedLogError extends Error {
  override name = 'DamagedLogError';

  constructor(
    readonly path: string,
    /** Offset of the damage. */
    readonly offset: number,
    /** Number of complete records after it. */
    readonly recordsAfter: number,
  ) {
    super(
      `${path} is damaged at offset ${offset}, and ${count(recordsAfter, 'complete record')} can be read after the damage. ` +
        'Nothing was changed. Restore the file from a backup, or start once with --repair: ' +
        'that preserves every complete record and a copy of the file.',
    );
  }
}

/** Describes the removal of a torn tail. `problem` is the reason why its bytes could not be copied. */
export function tornTail(path: string, range: Range, copiedTo: string | undefined, problem?: string): Loss {
  const { offset, bytes } = range;
  const change =
    offset === 0
      ? `the file had no header, only ${bytes} bytes, and was recreated`
      : `removed an incomplete or damaged record of ${bytes} bytes at offset ${offset}`;
  const copied = copiedTo
    ? `; its bytes were copied to ${copiedTo}`
    : problem
      ? `; its bytes could not be copied: ${problem}`
      : '';
  return { path, ranges: [range], copiedTo, message: `${path}: ${change}${copied}` };
}

/** Describes the parts of a file that a repair removed. */
export function repaired(path: string, ranges: Range[], preserved: number, copiedTo: string): Loss {
  const listed = ranges.slice(0, 10).map(({ offset, bytes }) => `${bytes} bytes at offset ${offset}`);
  if (ranges.length > listed.length) listed.push(count(ranges.length - listed.length, 'more part'));
  const message =
    `${path}: repaired; removed ${listed.join(', ')} and preserved ${count(preserved, 'record')} after the damage; ` +
    `the original file was copied to ${copiedTo}`;
  return { path, ranges, copiedTo, message };
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
