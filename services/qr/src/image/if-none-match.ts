const entityTags = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Returns whether an If-None-Match header (RFC 9110, 13.1.2) matches an entity tag by weak comparison, or is `*`. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(entityTags)].some(([, tag]) => tag === etag);
}
