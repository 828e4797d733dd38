import type { QrCode } from '../domain/qr-code.js';
import type { ListFilter, Store } from '../store/index.js';

/** A search examines codes in steps of 10,000 until it has found enough, but at most 100,000 codes. */
const bounds = { stepSize: 10_000, maxSteps: 10 };

interface SearchRange {
  after: string | undefined;
  limit: number;
  /** Deadline of the reads, Unix milliseconds. */
  until: number;
}

/**
 * Returns up to `limit` QR codes that match the filter and follow the position `after`. `next` is the position from
 * which to continue, absent at the end.
 */
export async function searchQrCodes(
  lists: Store['lists'],
  filter: ListFilter,
  { after, limit, until }: SearchRange,
  { stepSize, maxSteps } = bounds,
): Promise<{ codes: QrCode[]; next?: string }> {
  const found: QrCode[] = [];
  let position = after;
  for (let done = 0; done < maxSteps; done += 1) {
    // Without terms, the index returns only matching QR codes.
    const end = filter.terms.length > 0 ? await lists.nth(filter, position, stepSize, until) : null;
    found.push(...(await lists.page(filter, position, end, limit + 1 - found.length, until)));
    if (found.length > limit) return { codes: found.slice(0, limit), next: found[limit - 1]!._id };
    if (end === null) return { codes: found };
    position = end;
  }
  return { codes: found, ...(position !== undefined && { next: position }) };
}
