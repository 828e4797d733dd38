/** A part of a file. */
export interface Range {
  offset: number;
  bytes: number;
}

/** What opening a log removed from its file because it was not whole. */
export interface Loss {
  path: string;
  /** The removed parts, by their place in the file as it was. */
  ranges: Range[];
  /** The copy of the removed bytes, or after a repair of the whole file; undefined when there was nothing to copy. */
  keptAt: string | undefined;
  /** One sentence that says all of this, for the log of the process. */
  message: string;
}

/** Thrown when a log is damaged and whole records follow the damage. The file is unchanged. */
export class DamagedLogError extends Error {
  override name = 'DamagedLogError';

  constructor(
    readonly path: string,
    /** Where the damage begins. */
    readonly offset: number,
    /** Number of whole records behind it. */
    readonly recordsBehind: number,
  ) {
    super(
      `${path} is damaged at offset ${offset}, and ${count(recordsBehind, 'whole record')} can be read behind the damage. ` +
        'Nothing was changed. Restore the file from a backup, or start once with --repair: ' +
        'that keeps a copy of the file and every whole record.',
    );
  }
}

/** The loss of a tail that a crash left incomplete. `problem` says why the bytes could not be kept. */
export function tornTail(path: string, range: Range, keptAt: string | undefined, problem?: string): Loss {
  const { offset, bytes } = range;
  const what =
    offset === 0
      ? `the file had no header, only ${bytes} bytes, and was started anew`
      : `cut ${bytes} bytes at offset ${offset} that are not a whole record`;
  const kept = keptAt
    ? `; the bytes are kept in ${keptAt}`
    : problem
      ? `; the bytes could not be kept: ${problem}`
      : '';
  return { path, ranges: [range], keptAt, message: `${path}: ${what}${kept}` };
}

/** The loss of what a repair did not keep. */
export function repaired(path: string, ranges: Range[], keptRecords: number, keptAt: string): Loss {
  const shown = ranges.slice(0, 10).map(({ offset, bytes }) => `${bytes} bytes at offset ${offset}`);
  if (ranges.length > shown.length) shown.push(`${ranges.length - shown.length} more parts`);
  const message =
    `${path}: repaired; dropped ${shown.join(', ')} and kept ${count(keptRecords, 'record')} behind the damage; ` +
    `the file as it was is kept in ${keptAt}`;
  return { path, ranges, keptAt, message };
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
