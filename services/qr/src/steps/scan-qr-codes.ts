import type { QrCode } from '../domain/qr-code.js';
import type { ListFilter, Store } from '../store/index.js';

/** Maximum number of codes that one search examines, in steps; after each it checks whether it has found enough. */
const bounds = { step: 10_000, steps: 10 };

interface ScanRange {
  after: string | undefined;
  limit: number;
  /** Deadline of the reads, Unix milliseconds. */
  until: number;
}

/** Returns up to `limit` QR codes after the position `after`; `next` is the position from which to continue. */
export async function scanQrCodes(
  lists: Store['lists'],
  filter: ListFilter,
  { after, limit, until }: ScanRange,
  { step, steps } = bounds,
): Promise<{ codes: QrCode[]; next?: string }> {
  const found: QrCode[] = [];
  let position = after;
  for (let done = 0; done < steps; done += 1) {
    // Without terms, the index returns only matching QR codes.
    const end = filter.terms.length > 0 ? await lists.nth(filter, position, step, until) : null;
    found.push(...(await lists.page(filter, position, end, limit + 1 - found.length, until)));
    if (found.length > limit) return { codes: found.slice(0, limit), next: found[limit - 1]!._id };
    if (end === null) return { codes: found };
    position = end;
  }
  return { codes: found, ...(position !== undefined && { next: position }) };
}
