const listed = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Whether an If-None-Match field (RFC 9110 section 13.1.2) holds an entity tag, by the weak comparison, or is `*`. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(listed)].some(([, tag]) => tag === etag);
}
